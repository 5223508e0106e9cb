import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectedLines, variants } from '../support/clients/expected-lines.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const program = readFileSync(join(repository, 'test/support/clients/openapi-fetch.ts.txt'), 'utf8')

/** Calls openapi-typescript. It needs the compiler of TypeScript 5, which has an interface in JavaScript; that of this repository has none. */
const generator = `
import openapiTS, { astToString } from 'openapi-typescript'
export const typesOf = async (document) => astToString(await openapiTS(document))
`

type Generator = { typesOf(document: object): Promise<string> }

let address: string
let generate: Generator['typesOf']

beforeAll(async () => {
  const { server } = await buildTestServer(await smallLake())
  address = await server.listen({ host: '127.0.0.1', port: 0 })
  const outfile = join(await temporaryFolder(), 'generator.cjs')
  const stdin = { contents: generator, resolveDir: repository }
  const common = { bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' } as const
  await build({ ...common, stdin, outfile, alias: { typescript: '@tsd/typescript' } })
  generate = (createRequire(import.meta.url)(outfile) as Generator).typesOf
})

describe.each(['/openapi.json?integers=string', '/openapi-3.0.json?integers=string'])(
  'the client of openapi-fetch with types from %s',
  (path) => {
    let folder: string

    const compile = (text: string) => {
      writeFileSync(join(folder, 'main.ts'), text)
      const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext']
      const more = ['--moduleResolution', 'bundler', '--skipLibCheck', '--types', '', 'main.ts']
      return spawnSync(join(repository, 'node_modules/.bin/tsc'), [...flags, ...more], {
        cwd: folder,
        encoding: 'utf8',
      }).stdout
    }

    beforeAll(async () => {
      folder = await temporaryFolder()
      symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
      const document = (await (await fetch(address + path)).json()) as object
      writeFileSync(join(folder, 'api.d.ts'), await generate(document))
    })

    it('compiles and reads a list, a total beyond 2^53, an error, each variant and a file', async () => {
      expect(compile(program)).toBe('')
      const outfile = join(folder, 'main.mjs')
      const entryPoints = [join(folder, 'main.ts')]
      await build({ bundle: true, platform: 'node', format: 'esm', logLevel: 'error', entryPoints, outfile })
      const args = [outfile, address, Object.keys(variants).join()]
      const { stdout } = await promisify(execFile)(process.execPath, args)
      expect(stdout.trim().split('\n')).toEqual(await expectedLines(address))
    })

    it('does not compile where it reads a member that no reply has', () => {
      expect(compile(program.replace('.total_amount', '.total_amuont'))).toContain(
        "'total_amuont' does not exist",
      )
    })
  },
)
