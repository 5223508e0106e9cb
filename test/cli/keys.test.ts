import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { frameFile, operational } from '../support/messages/oracle-messages.ts'
import { runMain } from '../support/servers/run-main.ts'
import { startServing } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KEY = /^ll_[\da-f]{12}_[\da-f]{64}$/
const everything = '/v1/net/l2/iot-reward-shares?from=2000-01-01&to=2100-01-01'
const totals = '/v1/net/l2/iot-reward-shares/totals?from=2000-01-01&to=2100-01-01'

let cwd: string

beforeAll(async () => {
  cwd = await temporaryFolder()
  writeFileSync(join(cwd, 'iot_reward_share.1.gz'), frameFile([operational(7)]))
  expect((await run('ingest', 'iot_reward_share.1.gz', '--lake', 'fresh')).code).toBe(0)
})

const run = (...args: string[]) => runMain(args, { cwd })

async function freshLake(): Promise<string> {
  const lake = join(await temporaryFolder(), 'lake')
  cpSync(join(cwd, 'fresh'), lake, { recursive: true })
  return lake
}

async function addKey(lake: string, ...flags: string[]): Promise<string> {
  const { code, stdout, stderr } = await run('keys', 'add', '--lake', lake, ...flags)
  expect([code, stderr]).toEqual([0, ''])
  return stdout.trimEnd().split('\n').at(-1) ?? ''
}

/** On any port, with a look at the key file every so many milliseconds. */
const soon = ['--port', '0', '--refresh-ms', '100']

const ask = (address: string, key?: string) =>
  fetch(address, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await setTimeout(20)
}

describe('keys add', () => {
  it('prints the key once, alone on the last line, and keeps it nowhere', async () => {
    const lake = await freshLake()
    const { code, stdout } = await run('keys', 'add', '--name', 'an operator', '--lake', lake)
    const [first, about, key = '', end] = stdout.split('\n')
    expect([code, first]).toEqual([0, 'It is the first key: from now on every request needs one.'])
    expect(about).toBe(
      'Key of an operator, HotspotData, OracleData, Aggregates; no limits. Keep it; it is shown this once:',
    )
    expect(key).toMatch(KEY)
    expect(end).toBe('')
    const secret = key.slice(16)
    for (const { name, parentPath } of readdirSync(lake, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    ))
      expect(readFileSync(join(parentPath, name)).includes(secret)).toBe(false)
    for (const flags of [[], ['--json']]) {
      const listed = await run('keys', 'list', '--lake', lake, ...flags)
      expect(listed.stdout).toContain(key.slice(3, 15))
      expect(listed.stdout + listed.stderr).not.toContain(secret)
    }
  })

  it('prints a link for a browser with the key in its fragment, alone on the last line', async () => {
    const lake = await freshLake()
    const { code, stdout } = await run(
      ...['keys', 'add', '--name', 'phone', '--lake', lake, '--link', 'http://192.168.1.20:8080/lake/'],
    )
    const link = stdout.trimEnd().split('\n').at(-1) ?? ''
    const [page, key = ''] = link.split('#key=')
    expect([code, page]).toEqual([0, 'http://192.168.1.20:8080/lake/'])
    expect(key).toMatch(KEY)
    expect(stdout.indexOf(key)).toBe(stdout.lastIndexOf(key))
    expect(new URL(link).search).toBe('')
    expect((await run('keys', 'list', '--lake', lake)).stdout).toContain(key.slice(3, 15))
  })

  it.each([
    [['--link', 'lake.example.org'], '--link is "lake.example.org"; use an address such as'],
    [['--link', 'http://a/#b'], '--link is "http://a/#b"'],
    [
      ['--link', 'http://a', '--url', 'http://b'],
      "option '--link <URL>' cannot be used with option '--url <URL>'",
    ],
    [
      ['--link', 'http://a', '--profile', 'p'],
      "option '--link <URL>' cannot be used with option '--profile <FILE>'",
    ],
  ])('makes no key with %j', async (flags, sentence) => {
    const lake = await freshLake()
    const { code, stdout, stderr } = await run('keys', 'add', '--name', 'phone', '--lake', lake, ...flags)
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(sentence)])
    expect((await run('keys', 'list', '--lake', lake, '--json')).stdout).not.toContain('phone')
  })

  it.each([
    [['--rate', '0'], "option '--rate <PER_MINUTE>' argument '0' is invalid. Use a whole number, 1 or more."],
    [
      ['--quota', 'many'],
      "option '--quota <PER_30_DAYS>' argument 'many' is invalid. Use a whole number, 1 or more.",
    ],
    [['--lookback', '-1'], "option '--lookback <DAYS>' argument '-1' is invalid. Use a whole number."],
    [
      ['--features', 'Hotspots'],
      "argument 'Hotspots' is invalid. Use one or several of HotspotData, OracleData, Aggregates, Metrics, Sql, Share, separated by commas.",
    ],
    [['--name', ' '], "argument ' ' is invalid. It must not be empty."],
  ])('refuses %s', async (flags, sentence) => {
    const lake = await freshLake()
    const { code, stdout, stderr } = await run('keys', 'add', '--name', 'a', '--lake', lake, ...flags)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(sentence)
  })

  it('grants the feature Sql only with all features and without a look-back, and names the reason otherwise', async () => {
    const lake = await freshLake()
    const all = 'HotspotData,OracleData,Aggregates,Sql'
    expect(
      await run('keys', 'add', '--name', 'a', '--lake', lake, '--features', 'OracleData,Sql'),
    ).toMatchObject({
      code: 2,
      stderr:
        'ledgerlake: SQL reads every table, so the feature Sql is for keys with HotspotData, OracleData, Aggregates; this one lacks HotspotData and Aggregates.\n',
    })
    const limited = ['--features', all, '--lookback', '30']
    expect(await run('keys', 'add', '--name', 'b', '--lake', lake, ...limited)).toMatchObject({
      code: 2,
      stderr:
        'ledgerlake: SQL reads every table from its beginning, so the feature Sql is not for keys with a look-back; this one has 30 days.\n',
    })
    const given = await run('keys', 'add', '--name', 'c', '--lake', lake, '--features', all)
    expect(given.stdout).toContain('Key of c, HotspotData, OracleData, Aggregates, Sql; no limits.')
    // Without a list it has those of every key, and no SQL.
    const usual = await run('keys', 'add', '--name', 'd', '--lake', lake)
    expect(usual.stdout).toContain('Key of d, HotspotData, OracleData, Aggregates; no limits.')
  })

  it('requires a name and an existing lake', async () => {
    const lake = await freshLake()
    expect(await run('keys', 'add', '--lake', lake)).toMatchObject({ code: 2, stdout: '' })
    const { code, stderr } = await run('keys', 'add', '--name', 'a', '--lake', `${lake}-missing`)
    expect([code, stderr]).toEqual([4, expect.stringContaining(`There is no lake at ${lake}-missing; `)])
  })
})

describe('keys list', () => {
  it('prints the limits and the usage of each key, in order', async () => {
    const lake = await freshLake()
    expect((await run('keys', 'list', '--lake', lake)).stdout).toBe(
      `There are no keys in ${lake}/_keys/keys.ndjson; add one with: ledgerlake keys add --name NAME\n`,
    )
    const limited = ['--features', 'HotspotData', '--rate', '60', '--quota', '1000', '--lookback', '30']
    await addKey(lake, '--name', 'limited', ...limited)
    await addKey(lake, '--name', 'bare', '--features', 'none')
    await run('keys', 'revoke', 'bare', '--lake', lake)
    const { stdout } = await run('keys', 'list', '--lake', lake)
    const [heads, ...rows] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/))
    expect(heads).toEqual([
      'id',
      'name',
      'features',
      'rate/min',
      'quota/30 d',
      'used',
      'look-back',
      'created',
      'revoked',
    ])
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const id = expect.stringMatching(/^[\da-f]{12}$/)
    expect(rows).toEqual([
      [id, 'limited', 'HotspotData', '60', '1000', '0', '30 d', time, '-'],
      [id, 'bare', '-', '-', '-', '-', '-', time, time],
    ])
    const json = (await run('keys', 'list', '--json', '--lake', lake)).stdout.trimEnd().split('\n')
    expect(JSON.parse(json[0] ?? '')).toEqual({
      id,
      name: 'limited',
      features: ['HotspotData'],
      ratePerMinute: 60,
      quotaPer30Days: 1000,
      lookbackDays: 30,
      created: expect.any(String),
      used: 0,
    })
  })
})

describe('keys revoke', () => {
  it('prints the revoked key and the number of remaining keys', async () => {
    const lake = await freshLake()
    const id = (await addKey(lake, '--name', 'leaving')).slice(3, 15)
    const { code, stdout } = await run('keys', 'revoke', id, '--lake', lake)
    expect([code, stdout]).toEqual([
      0,
      `Revoked the key of leaving, ${id}; a server that runs notices it within a second.\n` +
        'No key is left, so no request is answered; to serve without keys: ledgerlake keys off\n',
    ])
    expect(await run('keys', 'revoke', 'leaving', '--lake', lake)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'ledgerlake: No key in use has the name or id "leaving"; there is none.\n',
    })
  })
})

describe('serve', () => {
  it('requires a key after the first one was added, and picks up new and revoked keys without a restart', async () => {
    const lake = await freshLake()
    const { address, stdout, stderr } = await startServing(['--lake', lake, '--access-log', ...soon], { cwd })
    expect((await ask(address + everything)).status).toBe(200)
    const first = await addKey(lake, '--name', 'first', '--features', 'OracleData')
    await until(async () => (await ask(address + everything)).status === 401)
    expect((await ask(address + everything, first)).status).toBe(200)
    expect((await ask(address + totals, first)).status).toBe(403)
    const second = await addKey(lake, '--name', 'second')
    await until(async () => (await ask(address + totals, second)).status === 200)
    await run('keys', 'revoke', 'second', '--lake', lake)
    await until(async () => (await ask(address + totals, second)).status === 401)
    expect((await ask(address + everything, first)).status).toBe(200)
    for (const key of [first, second]) {
      expect(stdout() + stderr()).not.toContain(key.slice(16))
      expect(stderr()).toContain(`"key":"${key.slice(3, 15)}"`)
    }
  })

  it('accepts no key while its key file is damaged, and logs that once', async () => {
    const lake = await freshLake()
    const key = await addKey(lake, '--name', 'a')
    const file = join(lake, '_keys', 'keys.ndjson')
    const { address, stderr } = await startServing(['--lake', lake, ...soon], { cwd })
    expect((await ask(address + everything, key)).status).toBe(200)
    const whole = readFileSync(file)
    writeFileSync(file, 'nonsense\n')
    await until(async () => stderr().includes(`Line 1 of ${file} is \\"nonsense\\", which`))
    expect((await ask(address + everything)).status).toBe(401)
    const refused = await ask(address + everything, key)
    expect([refused.status, await refused.json()]).toEqual([
      503,
      {
        error: 'The key file of this server is missing or damaged; no key is accepted until it is restored.',
        code: 'not_ready',
      },
    ])
    writeFileSync(file, whole)
    await until(async () => (await ask(address + everything, key)).status === 200)
    expect(stderr().split('Line 1 of ')).toHaveLength(2)
  })

  it('answers no request without a key after its key file was lost, until keys are turned off', async () => {
    const lake = await freshLake()
    await addKey(lake, '--name', 'a')
    rmSync(join(lake, '_keys'), { recursive: true })
    const { code, stdout, stderr } = await run('serve', '--lake', lake, '--port', '0')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(
      `The lake ${lake} had keys, and its key file ${lake}/_keys/keys.ndjson is missing; `,
    )
    expect(await run('keys', 'off', '--lake', lake)).toEqual({
      code: 0,
      stdout:
        'No key is needed any more once the server is started anew; without keys it listens on loopback only.\n',
      stderr: '',
    })
    const { address } = await startServing(['--lake', lake, '--port', '0'], { cwd })
    expect((await ask(address + everything)).status).toBe(200)
  })

  it('does not start with a broken key file', async () => {
    const lake = await freshLake()
    mkdirSync(join(lake, '_keys'))
    writeFileSync(join(lake, '_keys', 'keys.ndjson'), '{"id":1}\n')
    const { code, stdout, stderr } = await run('serve', '--lake', lake, '--port', '0')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('which ledgerlake keys did not write. Restore')
  })

  it('continues the quota count of a killed server', async () => {
    const lake = await freshLake()
    const key = await addKey(lake, '--name', 'a', '--quota', '50')
    let answered = 0
    for (let round = 0; round < 2; round += 1) {
      const flags = ['--lake', lake, '--port', '0', ...(round === 0 ? ['--open'] : [])]
      const { address, child, stderr } = await startServing(flags, { cwd })
      expect(stderr().includes('--open has no effect: there are keys, so requests need one.')).toBe(
        round === 0,
      )
      for (let count = 0; count < 10; count += 1) {
        const reply = await ask(address + everything, key)
        answered += 1
        expect([reply.status, reply.headers.get('ledgerlake-quota-remaining')]).toEqual([
          200,
          `${50 - answered}`,
        ])
      }
      child.kill('SIGKILL')
    }
    expect((await run('keys', 'list', '--json', '--lake', lake)).stdout).toContain('"used":20}')
  })

  it('does not start without keys if the configured key file is missing', async () => {
    const lake = await freshLake()
    const file = join(lake, 'typo.ndjson')
    const { code, stdout, stderr } = await run('serve', '--lake', lake, '--port', '0', '--keys', file)
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      `ledgerlake: There is no key file at ${file}; make it with: ledgerlake keys add --name NAME --keys ${file}, or leave --keys out.\n`,
    ])
  })

  it('returns 401 while its key file is empty', async () => {
    const lake = await freshLake()
    mkdirSync(join(lake, '_keys'))
    writeFileSync(join(lake, '_keys', 'keys.ndjson'), '')
    const { address } = await startServing(['--lake', lake, '--port', '0'], { cwd })
    expect((await ask(address + everything)).status).toBe(401)
  })

  it('reads keys from the file of --keys, and then may listen on 0.0.0.0', async () => {
    const lake = await freshLake()
    const file = join(await temporaryFolder(), 'who.ndjson')
    const key = await addKey(lake, '--name', 'a', '--keys', file)
    expect(readdirSync(lake)).not.toContain('_keys')
    const closed = await run('serve', '--lake', lake, '--port', '0', '--host', '0.0.0.0')
    expect([closed.code, closed.stderr]).toEqual([
      2,
      expect.stringContaining('Refusing to listen on 0.0.0.0 without API keys'),
    ])
    const flags = ['--lake', lake, '--port', '0', '--host', '0.0.0.0', '--keys', file]
    const { address, stdout } = await startServing(flags, { cwd })
    const local = address.replace('0.0.0.0', '127.0.0.1')
    expect([(await ask(local + totals)).status, (await ask(local + totals, key)).status]).toEqual([401, 200])
    expect(stdout()).toContain('curl -H "Authorization: Bearer $KEY" "http://')
  })

  it('keeps serving if the usage file of an older build is unreadable, and logs that', async () => {
    const lake = await freshLake()
    const key = await addKey(lake, '--name', 'a', '--quota', '2')
    mkdirSync(join(lake, '_keys', 'keys.usage'))
    chmodSync(join(lake, '_keys'), 0o755)
    const { address, stderr } = await startServing(['--lake', lake, '--port', '0'], { cwd })
    const statuses = []
    for (let count = 0; count < 3; count += 1) statuses.push((await ask(address + everything, key)).status)
    expect(statuses).toEqual([200, 200, 402])
    expect(stderr()).toContain('a folder is in the place of a file')
  })
})
