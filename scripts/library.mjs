import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { root, run } from './prepare.mjs'

/** The parts of the package for other programs, beside the program itself. */

/** Bundles the client, which runs in browsers too. */
export async function bundleClient(dist) {
  for (const [format, extension] of [
    ['esm', 'mjs'],
    ['cjs', 'cjs'],
  ])
    await build({
      absWorkingDir: root,
      entryPoints: ['src/services/library/client.ts'],
      outfile: `${dist}client.${extension}`,
      bundle: true,
      platform: 'neutral',
      mainFields: ['module', 'main'],
      target: 'es2022',
      format,
      logLevel: 'warning',
    })
}

/** Writes the types of the package, for both kinds of modules. */
export function writeTypes(dist) {
  const types = `${dist}types/`
  rmSync(types, { recursive: true, force: true })
  run('npx', ['tsc', '-p', 'scripts/library-types.json', '--outDir', types])
  for (const name of readdirSync(types, { recursive: true }).filter((file) => file.endsWith('.d.ts'))) {
    const text = readFileSync(types + name, 'utf8')
    const importing = (extension) => text.replaceAll(/(from '\.[^']+)\.ts'/g, `$1.${extension}'`)
    writeFileSync(types + name, importing('js'))
    writeFileSync(`${types}${name.slice(0, -'ts'.length)}cts`, importing('cjs'))
  }
}
