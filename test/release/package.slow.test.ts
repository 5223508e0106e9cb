import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { beforeAll, describe, expect, it } from 'vitest'
import { smallOracle } from '../support/fixtures.ts'
import { some } from '../support/some.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly os?: readonly string[] }>>
}

interface Part {
  readonly name: string
  readonly version: string
}

/** The package as npm would install it, with the packages that the lock file has for its users. */
let folder: string
const installed = () => join(folder, 'node_modules', 'ledgerlake')

beforeAll(async () => {
  folder = await temporaryFolder()
  mkdirSync(installed(), { recursive: true })
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  const name = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim()
  execFileSync('tar', ['-xzf', join(folder, name), '-C', installed(), '--strip-components=1'])
})

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
        'bin/ledgerlake',
        'bin/load-program.cjs',
        'bin/package.json',
      ],
      ...['dist', 'dist/LICENSES.txt', 'dist/ledgerlake.cdx.json', 'dist/ledgerlake.cjs', 'package.json'],
    ])
  })

  it('lists the packages that npm installs with it among its parts', () => {
    const { dependencies } = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'))
    const { components } = JSON.parse(readFileSync(join(installed(), 'dist/ledgerlake.cdx.json'), 'utf8'))
    const listed = components.map(({ name, version }: Part) => [name, version])
    expect(listed).toEqual(expect.arrayContaining([...some(Object.entries(dependencies))]))
    expect(listed.length).toBeGreaterThan(100)
  })

  it('has no problem that publint reports', async () => {
    const { messages } = await publint({ pkgDir: installed(), pack: false })
    expect(messages).toEqual([])
  })

  it('needs the engine alone: ingest and sql run with nothing else installed', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
    const needed = some(Object.keys(packages).filter((path) => path !== '' && packages[path]?.dev !== true))
    expect(needed.filter((path) => !/@duckdb\/node-bindings|detect-libc/.test(path))).toEqual([])
    const here = needed.filter((path) =>
      readdirSync(root + path.slice(0, path.lastIndexOf('/'))).includes(path.split('/').at(-1) ?? ''),
    )
    for (const path of some(here)) cpSync(join(root, path), join(folder, path), { recursive: true })
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [join(installed(), 'bin/ledgerlake'), ...args, '--lake', 'lake'], {
        cwd: folder,
        encoding: 'utf8',
      })
    expect(run('ingest', smallOracle)).toContain('20 files read: 20 stored')
    expect(run('sql', 'select count(*) as n from iot_reward_shares', '--format', 'csv')).toBe('n\n457\n')
  })
})
