import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { build } from 'esbuild'
import { root } from './prepare.mjs'

const dist = `${root}dist/`

/** One CommonJS file with everything but the engine's native binding, so that starting reads few files. */
await build({
  absWorkingDir: root,
  entryPoints: ['src/cli/main.ts'],
  outfile: `${dist}ledgerlake.cjs`,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  mainFields: ['main', 'module'],
  external: ['@duckdb/node-api'],
  logLevel: 'warning',
})

for (const name of readdirSync(dist)) if (name.endsWith('.compiled')) rmSync(dist + name)
const { status } = spawnSync(process.execPath, [`${root}scripts/compile.mjs`], { stdio: 'inherit' })
if (status !== 0)
  console.error('The program is built; it starts slower, since its code could not be compiled ahead.')
