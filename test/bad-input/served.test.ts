import { mkdirSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  dayEnd,
  dayStart,
  dec,
  frameFile,
  len,
  message,
  num,
  operational,
  period,
  vectorKey,
} from '../support/messages/oracle-messages.ts'
import { askRaw } from '../support/servers/ask-raw.ts'
import { runMain } from '../support/servers/run-main.ts'
import { startServing } from '../support/servers/run-program.ts'
import { addedFiles, type LoggedFile, locationOf } from '../support/tables/delta-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait.ts'
import { type DataDamageCase, matching } from './case.ts'
import { dataDamages } from './cases/damage.ts'

const shares = '/v1/net/l2/iot-reward-shares'
const range = 'from=2025-01-01&to=2026-01-01'

/** A working folder with files to take in, each of one share whose amount is its number. */
async function workingFolder(...numbers: readonly number[]): Promise<string> {
  const folder = realpathSync(await temporaryFolder())
  mkdirSync(join(folder, 'in'))
  for (const number of numbers)
    writeFileSync(join(folder, 'in', `iot_reward_share.${number}.gz`), frameFile([operational(number)]))
  return folder
}

const ingest = (cwd: string, ...words: string[]) =>
  runMain(['ingest', ...(words.length === 0 ? ['in'] : words), '--lake', 'lake'], { cwd })
const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString()
const totalOf = (body: string) => /"total_amount":(\d+)/.exec(body)?.[1]

describe('a request that needs a damaged data file gets an error without internal details:', () => {
  /** Seconds of the day's end of a case: each is in a month, and so in a data file, of its own. */
  const endOf = (item: DataDamageCase) => Date.UTC(2025, dataDamages.indexOf(item) + 1, 2) / 1000
  let cwd = ''
  let address = ''

  beforeAll(async () => {
    cwd = await temporaryFolder()
    mkdirSync(join(cwd, 'in'))
    const messages = dataDamages.map((item) => operational(5, endOf(item)))
    writeFileSync(join(cwd, 'in', 'iot_reward_share.5.gz'), frameFile(messages))
    expect(await ingest(cwd)).toMatchObject({ code: 0 })
    const table = join(cwd, 'lake', 'iot_reward_shares')
    const files = [...addedFiles(table)].sort((a, b) => (a.path < b.path ? -1 : 1))
    expect(files).toHaveLength(dataDamages.length)
    for (const [index, item] of dataDamages.entries())
      item.prepare(locationOf(table, files[index] as LoggedFile))
    const serving = await startServing(['--lake', 'lake', '--port', '0'], { cwd })
    address = serving.address
  })

  it.each(dataDamages.map((item) => [item.name, item] as const))('%s', async (_, item) => {
    const end = endOf(item)
    const only = `from=${isoOf(end - 1)}&to=${isoOf(end)}`
    const { status, body } = await askRaw(address, 'GET', `${shares}?${only}`)
    const { error, code } = JSON.parse(body)
    expect([status, code]).toEqual([503, 'lake_damaged'])
    expect(error).toMatch(matching(item.sentence))
    expect(body).not.toMatch(/duckdb|\/tmp|\/shm/i)
    // What the log tells alone is still answered.
    expect(totalOf((await askRaw(address, 'GET', `${shares}/totals?${only}`)).body)).toBe('5')
  })

  it('and new files are still ingested and served', async () => {
    writeFileSync(join(cwd, 'in', 'iot_reward_share.6.gz'), frameFile([operational(6, dayEnd - 86_400)]))
    expect(await ingest(cwd)).toMatchObject({ code: 0, stderr: '' })
    await waitFor(async () => {
      const { body } = await askRaw(address, 'GET', `${shares}?from=2025-01-01&to=2025-01-31`)
      expect(body).toContain('"amount":6,')
    })
  })
})

describe('a damaged data file', () => {
  it('lets the server start, and answer requests that do not need the file', async () => {
    const cwd = await workingFolder(5)
    const manifest = message(
      len(1, 'mobile_reward_share.1.gz'),
      num(2, dayStart),
      num(3, dayEnd),
      len(4),
      num(7, 9),
    )
    const share = message(period(), len(4, len(1, vectorKey), num(2, 1000)))
    writeFileSync(join(cwd, 'in', 'mobile_reward_share.1.gz'), frameFile([share]))
    writeFileSync(join(cwd, 'in', 'reward_manifest.2.gz'), frameFile([manifest]))
    expect(await ingest(cwd)).toMatchObject({ code: 0 })
    const file = addedFiles(join(cwd, 'lake', 'mobile_reward_shares'))[0]?.path ?? ''
    truncateSync(join(cwd, 'lake', 'mobile_reward_shares', file), 100)
    const { address, stderr } = await startServing(['--lake', 'lake', '--port', '0'], { cwd })
    await waitFor(() => expect(stderr()).toContain(`mobile_reward_shares/${file} of the lake is damaged`))
    expect(totalOf((await askRaw(address, 'GET', `${shares}/totals?${range}`)).body)).toBe('5')
    const other = await askRaw(address, 'GET', `/v1/net/l2/mobile-reward-shares/totals?${range}`)
    expect([other.status, JSON.parse(other.body).code]).toEqual([503, 'lake_damaged'])
  })

  it('is named when one of its sources is replaced', async () => {
    const cwd = await workingFolder(5, 6)
    expect(await ingest(cwd)).toMatchObject({ code: 0 })
    const name = 'iot_reward_share.5.gz'
    writeFileSync(join(cwd, 'in', name), frameFile([operational(7)]))
    const file = addedFiles(join(cwd, 'lake', 'iot_reward_shares'))[0]?.path ?? ''
    truncateSync(join(cwd, 'lake', 'iot_reward_shares', file), 100)
    const { code, stdout, stderr } = await ingest(cwd, 'in', '--replace')
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toMatch(
      matching(
        `ledgerlake: lake/iot_reward_shares/${file} has SHA-256 DIGEST, the log says DIGEST; restore it from a copy.\n`,
      ),
    )
  })
})

describe('a log entry that is damaged while the lake is served', () => {
  it('is reported once, and the last valid version is served', async () => {
    const cwd = await workingFolder(5)
    expect(await ingest(cwd)).toMatchObject({ code: 0 })
    const serving = await startServing(['--lake', 'lake', '--port', '0', '--refresh-ms', '100'], { cwd })
    const entry = join(cwd, 'lake', 'iot_reward_shares', '_delta_log', `${'1'.padStart(20, '0')}.json`)
    writeFileSync(entry, 'nothing of Delta\n')
    const said = '"msg":"lake/iot_reward_shares/_delta_log/00000000000000000001.json is cut or damaged: '
    await waitFor(() => expect(serving.stderr()).toContain(said))
    const { body } = await askRaw(serving.address, 'GET', `${shares}/totals?${range}`)
    expect(totalOf(body)).toBe('5')
    rmSync(entry)
    writeFileSync(join(cwd, 'in', 'iot_reward_share.6.gz'), frameFile([operational(6)]))
    expect(await ingest(cwd)).toMatchObject({ code: 0, stderr: '' })
    await waitFor(async () =>
      expect(totalOf((await askRaw(serving.address, 'GET', `${shares}/totals?${range}`)).body)).toBe('11'),
    )
    expect(serving.stderr().match(/"level":"error"/g)).toHaveLength(1)
  })
})

describe('a served lake without shares', () => {
  it('says that it is empty, shows no address that fails, and answers after an ingest', async () => {
    const cwd = await workingFolder(5)
    mkdirSync(join(cwd, 'lake'))
    const { address, stdout } = await startServing(['--lake', 'lake', '--port', '0'], { cwd })
    await waitFor(() =>
      expect(stdout()).toBe(
        `ledgerlake serves lake at ${address}/\nIt is empty and waits for: ledgerlake ingest PATH... --lake lake\n`,
      ),
    )
    const early = await askRaw(address, 'GET', `${shares}?${range}`)
    expect([early.status, JSON.parse(early.body).code]).toEqual([503, 'not_ready'])
    expect((await askRaw(address, 'GET', '/')).body).not.toContain(`"example":"${shares}`)
    expect(await ingest(cwd)).toMatchObject({ code: 0, stderr: '' })
    await waitFor(async () =>
      expect(totalOf((await askRaw(address, 'GET', `${shares}/totals?${range}`)).body)).toBe('5'),
    )
    expect((await askRaw(address, 'GET', '/')).body).toContain(`"example":"${shares}`)
  })

  it('shows no address that fails when it holds manifests only', async () => {
    const cwd = await workingFolder()
    const manifest = message(num(2, dayStart), num(3, dayEnd), len(5, dec(1, '1')))
    writeFileSync(join(cwd, 'in', 'reward_manifest.1.gz'), frameFile([manifest]))
    expect(await ingest(cwd)).toMatchObject({ code: 0, stderr: '' })
    const { address, stdout } = await startServing(['--lake', 'lake', '--port', '0'], { cwd })
    expect((await askRaw(address, 'GET', '/')).body).toMatch(
      new RegExp(`"path":"${shares}","parameters":[^\\]]+\\],"example":null`),
    )
    await waitFor(() => expect(stdout()).toContain(' curl "'))
    const printed = [...stdout().matchAll(/ curl "([^"]+)"/g)].map(([, url]) => url?.slice(address.length))
    expect(printed.length).toBeGreaterThan(0)
    for (const url of printed) expect(await askRaw(address, 'GET', url ?? '')).toMatchObject({ status: 200 })
  })
})
