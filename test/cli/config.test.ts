import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readConfigFile } from '../../src/services/settings/config-file.ts'
import { readSettings, settingRows } from '../../src/services/settings/settings.ts'
import { runMain } from '../support/servers/run-main.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let cwd: string

beforeEach(async () => {
  cwd = await temporaryFolder()
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const write = (settings: unknown, name = 'ledgerlake.json') =>
  writeFileSync(join(cwd, name), typeof settings === 'string' ? settings : JSON.stringify(settings))
const config = (...args: string[]) => runMain(['config', ...args], { cwd })

/** Value and origin of a setting as `config --json` tells them. */
async function inForce(name: string, ...args: string[]) {
  const { code, stdout, stderr } = await config('--json', ...args)
  expect([code, stderr]).toEqual([0, ''])
  const { value, from } = JSON.parse(stdout)[name]
  return [value, from]
}

describe('a setting', () => {
  it('comes from a flag, then the environment, then the file, then the default', async () => {
    expect(await inForce('port')).toEqual(['8080', 'default'])
    write({ port: 8081 })
    expect(await inForce('port')).toEqual(['8081', 'ledgerlake.json'])
    vi.stubEnv('LEDGERLAKE_PORT', '8082')
    expect(await inForce('port')).toEqual(['8082', 'LEDGERLAKE_PORT'])
    expect(await inForce('port', '--port', '8083')).toEqual(['8083', '--port'])
  })

  it('is written in the file as text, number, true or false, or a list', async () => {
    write({ cors: ['https://a.example.org', 'https://b.example.org'], open: true, host: '::1', port: 1 })
    expect(await inForce('cors')).toEqual(['https://a.example.org,https://b.example.org', 'ledgerlake.json'])
    expect(await inForce('open')).toEqual(['true', 'ledgerlake.json'])
    expect(await inForce('host')).toEqual(['::1', 'ledgerlake.json'])
  })

  it('of the file applies to every command', async () => {
    write({ lake: 'nowhere' })
    const { code, stderr } = await runMain(['status'], { cwd })
    expect([code, stderr]).toEqual([4, expect.stringContaining('There is no lake at nowhere')])
  })
})

describe('the file', () => {
  it('is the one named by flag or environment, and its relative paths start at its own folder', async () => {
    mkdirSync(join(cwd, 'etc'))
    write({ lake: 'lake', state: '/var/state', keys: '' }, 'etc/own.json')
    write({ lake: 'other' })
    expect(await inForce('lake', '--config', 'etc/own.json')).toEqual(['etc/lake', 'etc/own.json'])
    // The flag is put there for workers.
    vi.stubEnv('LEDGERLAKE_CACHE_DIR', undefined)
    expect(await inForce('cache_dir', '--cache-dir', '/x')).toEqual(['/x', '--cache-dir'])
    vi.stubEnv('LEDGERLAKE_CONFIG', join(cwd, 'etc/own.json'))
    expect(await inForce('lake')).toEqual([join(cwd, 'etc/lake'), join(cwd, 'etc/own.json')])
    expect(await inForce('state')).toEqual(['/var/state', join(cwd, 'etc/own.json')])
    expect(await inForce('keys')).toEqual(['', join(cwd, 'etc/own.json')])
    expect(await inForce('config')).toEqual([join(cwd, 'etc/own.json'), 'LEDGERLAKE_CONFIG'])
  })

  it.each([
    ['{"port": 1', /^ledgerlake: ledgerlake\.json is not JSON: /],
    ['[]', /^ledgerlake: ledgerlake\.json is not a JSON object; write settings such as \{"port": 8080\}\n$/],
    ['{"prot": 1}', /^ledgerlake: Unknown setting prot in ledgerlake\.json; did you mean port\?\n$/],
    [
      '{"zzz": 1}',
      /^ledgerlake: Unknown setting zzz in ledgerlake\.json; ledgerlake config lists the settings\n$/,
    ],
    ['{"config": "x"}', /^ledgerlake: Unknown setting config in ledgerlake\.json; /],
    [
      '{"LEDGERLAKE_PORT": 1}',
      /^ledgerlake: Unknown setting LEDGERLAKE_PORT in ledgerlake\.json; did you mean port\?\n$/,
    ],
    [
      '{"most-requests": 1}',
      /^ledgerlake: Unknown setting most-requests in ledgerlake\.json; did you mean most_requests\?\n$/,
    ],
    [
      '{"port": "http"}',
      /^ledgerlake: port in ledgerlake\.json is "http"; use a whole number from 0 to 65535\n$/,
    ],
    [
      '{"port": 1.5}',
      /^ledgerlake: port in ledgerlake\.json is "1.5"; use a whole number from 0 to 65535\n$/,
    ],
    [
      '{"port": null}',
      /^ledgerlake: port in ledgerlake\.json is null; use a string, a number, true, false, or an array of strings\n$/,
    ],
    [
      '{"cors": {"a": 1}}',
      /^ledgerlake: cors in ledgerlake\.json is an object; use a string, a number, true, /,
    ],
    [
      '{"port": "x", "open": 3}',
      /port in ledgerlake\.json is "x".*\nopen in ledgerlake\.json is "3"; use true or false\n$/,
    ],
  ])('%s is refused', async (text, sentence) => {
    write(text)
    const { code, stdout, stderr } = await config()
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(sentence)
  })

  it('that is named must exist', async () => {
    const { code, stderr } = await config('--config', 'missing.json')
    expect([code, stderr]).toEqual([
      2,
      'ledgerlake: The configuration file cannot be read: no such file or folder: missing.json.\n',
    ])
  })

  it('may be missing', () => {
    expect(readConfigFile('', cwd)).toBeUndefined()
    expect(readSettings({}, {}).port).toBe(8080)
  })
})

describe('ledgerlake config', () => {
  it('prints each setting with its value and its origin', async () => {
    write({ port: 8081 })
    const { code, stdout } = await config('--host', '::1')
    expect(code).toBe(0)
    const [head, ...lines] = stdout.trimEnd().split('\n')
    expect(head?.split(/ {2,}/)).toEqual(['setting', 'value', 'from'])
    expect(lines.map((line) => line.split(/ {2,}/)[0])).toEqual(settingRows.map(({ name }) => name))
    const cells = lines.map((line) => line.split(/ {2,}/))
    expect(cells).toContainEqual(['port', '8081', 'ledgerlake.json'])
    expect(cells).toContainEqual(['host', '::1', '--host'])
    expect(cells).toContainEqual(['state', 'data/lake/_state', 'default'])
    expect(cells).toContainEqual(['tls_key', '(empty)', 'default'])
  })

  it('prints the folder of the indexes and the file of keys of the lake in force', async () => {
    const { stdout } = await config('--lake', '/srv/lake')
    expect(stdout).toMatch(/^state +\/srv\/lake\/_state +default$/m)
    expect(stdout).toMatch(/^keys +\/srv\/lake\/_keys\/keys\.ndjson +default$/m)
    expect(await inForce('state', '--lake', '/srv/lake')).toEqual(['', 'default'])
  })

  it('shows no key, wherever one was set', async () => {
    const secret = 'abcdef0123456789'.repeat(4)
    vi.stubEnv('LEDGERLAKE_KEYS', `ll_fedcfedcfedc_${secret}`)
    for (const args of [[], ['--json']]) {
      const { stdout } = await config(...args)
      expect(stdout).toContain('ll_fedcfedcfedc_…')
      expect(stdout).not.toContain(secret.slice(0, 8))
    }
  })
})
