import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { beforeAll, describe, expect, it } from 'vitest'
import { smallOracle } from '../support/fixtures.ts'
import { installPackage, neededPackages } from '../support/package/install-package.ts'
import { some } from '../support/some.ts'

interface Part {
  readonly name: string
  readonly version: string
}

/** The package as npm would install it, with the packages that the lock file has for its users. */
let folder: string
const installed = () => join(folder, 'node_modules', 'ledgerlake')

beforeAll(async () => {
  folder = await installPackage()
})

const typesOf = (folder: string, names: readonly string[]) =>
  names.flatMap((name) => [`dist/types/${folder}/${name}.d.cts`, `dist/types/${folder}/${name}.d.ts`])

describe('the npm package', () => {
  it('has the program, its licences, a list of its parts, and nothing that is specific to a machine', () => {
    const files = readdirSync(installed(), { recursive: true, encoding: 'utf8' }).sort()
    expect(files).toEqual([
      ...[
        'CHANGELOG.md',
        'LICENSE',
        'NOTICE',
        'README.md',
        'bin',
        ...['bin/fastify.cjs', 'bin/fastify.mjs', 'bin/ledgerlake', 'bin/library.cjs', 'bin/library.mjs'],
        ...['bin/load-library.cjs', 'bin/load-program.cjs', 'bin/package.json'],
      ],
      ...['dist', 'dist/LICENSES.txt', 'dist/client.cjs', 'dist/client.mjs'],
      ...['dist/ledgerlake.cdx.json', 'dist/ledgerlake.cjs'],
      ...['dist/types', 'dist/types/base', ...typesOf('base', ['errors'])],
      ...[
        'dist/types/services',
        'dist/types/services/library',
        ...typesOf('services/library', [
          'api',
          'calls',
          'client',
          'fastify',
          'library',
          'open-lake',
          'tables',
        ]),
      ],
      'package.json',
    ])
  })

  it('lists the packages that npm installs with it among its parts', () => {
    const { dependencies } = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'))
    const { components } = JSON.parse(readFileSync(join(installed(), 'dist/ledgerlake.cdx.json'), 'utf8'))
    const listed = components.map(({ name, version }: Part) => [name, version])
    expect(listed).toEqual(expect.arrayContaining([...some(Object.entries(dependencies))]))
    expect(listed.length).toBeGreaterThan(80)
  })

  it('has no problem that publint reports', async () => {
    const { messages } = await publint({ pkgDir: installed(), pack: false })
    expect(messages).toEqual([])
  })

  it('needs the engine alone: ingest and sql run with nothing else installed', () => {
    const others = neededPackages().filter((path) => !/@duckdb\/node-bindings|detect-libc/.test(path))
    expect(others).toEqual([])
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [join(installed(), 'bin/ledgerlake'), ...args, '--lake', 'lake'], {
        cwd: folder,
        encoding: 'utf8',
      })
    expect(run('ingest', smallOracle)).toContain('20 files read: 20 stored')
    expect(run('sql', 'select count(*) as n from iot_reward_shares', '--format', 'csv')).toBe('n\n457\n')
  })
})
