import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addKey, revokeKey } from '../../../src/keys/key-file.ts'
import { openRunFolder } from '../../../src/lake/runs/run-folder.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { examine } from '../../../src/operate/doctor/examine.ts'
import type { Machine } from '../../../src/operate/doctor/finding.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { contentOf } from '../../support/lakes/lake-content.ts'
import { filesBelow } from '../../support/lakes/leftovers.ts'
import { iotReward, type MadeLake, makeLake } from '../../support/lakes/make-lake.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { runProgram } from '../../support/servers/run-program.ts'
import { toFormatOne } from '../../support/tables/log-entries.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const DAY_MS = 86_400_000
const files = (day: number) => ({
  [`iot/iot_reward_share.${day}.gz`]: [iotReward(`2025-01-1${day}`, day, { beacon_amount: 1n })],
})

let made: MadeLake
let lake = ''

beforeAll(async () => {
  made = await makeLake(files(1))
  await made.add(files(2))
})

beforeEach(async () => {
  lake = join(await temporaryFolder(), 'lake')
  cpSync(made.folder, lake, { recursive: true })
})

const room = { bytes: 1e12, files: 1e6 }

/** What is found on a machine that is well but for what is given, as `level, check: what`. */
async function found(more: Partial<Machine> = {}): Promise<readonly string[]> {
  const machine = { now: Date.now(), openFiles: 65_536, room: async () => room, ...more }
  const state = join(lake, '_state')
  const keyFile = join(lake, '_keys', 'keys.ndjson')
  const at = await new Lake(lake).latest()
  const findings = await examine({ lake, state, keyFile, at, machine })
  for (const { why, run } of findings) expect(Math.min(why.length, run.length)).toBeGreaterThan(10)
  return findings.map(({ level, check, what }) => `${level}, ${check}: ${what.replaceAll(lake, 'LAKE')}`)
}

const dataFile = () => filesBelow(lake).find((path) => path.endsWith('.parquet')) ?? ''
const keyFile = () => join(lake, '_keys', 'keys.ndjson')
async function putKey(): Promise<void> {
  mkdirSync(dirname(keyFile()))
  const terms = { features: [], ratePerMinute: null, quotaPer30Days: null, lookbackDays: null }
  await addKey(keyFile(), { name: 'own', ...terms }, new Date())
}

describe('doctor', () => {
  it('finds nothing in a valid lake, and writes nothing', async () => {
    const before = contentOf(lake)
    expect(await found()).toEqual([])
    const { code, stdout, stderr } = await runMain(['doctor', '--lake', lake])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^ledgerlake \S+, data format \d+, Node v\S+, DuckDB \S+\n/)
    expect(stdout).toMatch(/lacks data of 0 days, and manifests of 2 days/)
    expect(stdout).toMatch(
      /\n0 problems, 1 to note\.\nChecked: the log of every table; .*\nNot checked: .*\n$/,
    )
    expect(contentOf(lake)).toEqual(before)
  })

  it('finds data files that are missing or cut', async () => {
    const path = dataFile()
    truncateSync(join(lake, path), 100)
    expect(await found()).toEqual([
      expect.stringMatching(`^problem, data files: LAKE/${path} has 100 bytes where the log says \\d+.$`),
    ])
    rmSync(join(lake, path))
    expect(await found()).toEqual([`problem, data files: LAKE/${path} is missing.`])
    const { code, stdout } = await runMain(['doctor', '--lake', lake, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      dataFormat: 3,
      findings: [{ level: 'problem' }, { level: 'note' }],
    })
  })

  it('lists what it did not check, such as the content of data files', async () => {
    const path = join(lake, dataFile())
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(bytes.readUInt8(100) ^ 1, 100, 101))
    const { code, stdout } = await runMain(['doctor', '--lake', lake, '--json'])
    expect([code, JSON.parse(stdout).checked]).toEqual([
      0,
      expect.arrayContaining(['lake', 'data files', 'keys', 'missing data']),
    ])
    expect(JSON.parse(stdout).notChecked).toEqual([
      { what: 'contents of data files and indexes', run: 'ledgerlake verify' },
    ])
    expect((await runMain(['doctor', '--lake', lake])).stdout).toMatch(
      /Not checked: contents of data files and indexes; run ledgerlake verify\.\n$/,
    )
  })

  it('finds a folder that is no lake, and a damaged log', async () => {
    const entry = filesBelow(lake).find((path) => path.endsWith('00001.json')) ?? ''
    truncateSync(join(lake, entry), 60)
    const { code, stdout } = await runMain(['doctor', '--lake', lake])
    expect(code).toBe(1)
    expect(stdout).toContain('problem, lake: ')
    expect(stdout).toContain(`${entry} is cut or damaged`)
    expect(stdout).toContain('\nNothing but the log was checked.\nNot checked: ')
    expect((await runMain(['doctor', '--lake', join(lake, 'none')])).stdout).toContain('There is no lake at')
  })

  it('finds key files that other users can read, that are damaged, missing, or without an active key', async () => {
    await putKey()
    expect(await found()).toEqual([])
    chmodSync(keyFile(), 0o644)
    expect(await found()).toEqual([
      'problem, keys: LAKE/_keys/keys.ndjson has the mode 644, so other users may read it.',
    ])
    chmodSync(keyFile(), 0o600)
    await revokeKey(keyFile(), 'own', new Date())
    expect(await found()).toEqual(['problem, keys: LAKE/_keys/keys.ndjson has no key in use.'])
    writeFileSync(keyFile(), '{"id":')
    expect(await found()).toEqual([expect.stringMatching(/^problem, keys: .*LAKE\/_keys\/keys\.ndjson/)])
    rmSync(keyFile())
    expect(await found()).toEqual([])
    writeFileSync(join(lake, '_keys_needed'), '')
    expect(await found()).toEqual(['problem, keys: The key file LAKE/_keys/keys.ndjson is missing.'])
  })

  it('finds a clock that is before the newest commit, or before the program', async () => {
    const { committedAt } = (await new Lake(lake).latest()).tables[0] as { committedAt: number }
    const at = (now: number) => new Date(now).toISOString()
    expect(await found({ now: committedAt - 59_000 })).toEqual([])
    const early = committedAt - 61_000
    expect(await found({ now: early })).toEqual([
      `problem, clock: The clock of this machine says ${at(early)}; the newest commit is of ${at(committedAt)}, which is later.`,
    ])
    expect(await found({ now: 0 })).toEqual([
      'problem, clock: The clock of this machine says 1970-01-01T00:00:00.000Z, which is before this program was made.',
    ])
  })

  it('finds too little free space, too few free inodes, and too low a limit of open files', async () => {
    expect(
      await found({ room: async () => ({ bytes: 100_000_000, files: 10_000 }), openFiles: 4096 }),
    ).toEqual([])
    expect(await found({ room: async () => ({ bytes: 99_999_999, files: 9999 }), openFiles: 4095 })).toEqual([
      'problem, space: LAKE has 99999999 bytes free; the next ingest or compact may need 100000000.',
      'problem, space: The file system of LAKE has room for 9999 more files.',
      'problem, space: LAKE/_state has 99999999 bytes free; building the indexes once more may need 100000000.',
      'problem, space: The file system of LAKE/_state has room for 9999 more files.',
      expect.stringMatching(/^problem, open files: A process may have 4095 files open;/),
    ])
  })

  it('finds leftovers of dead runs and restores, and files that only old snapshots use', async () => {
    mkdirSync(join(lake, '_replaced-1'))
    writeFileSync(join(lake, '_replaced-1', 'x'), '123')
    await compact({ lake, months: ['2025-01'], openWriter: openTestWriter })
    expect(await found({ now: Date.now() + 8 * DAY_MS })).toEqual([
      'note, leftovers: LAKE/_replaced-1 has 3 bytes of tables that a restore replaced.',
      expect.stringMatching(
        /^note, old files: 2 data files of \d+ bytes are used by no snapshot of the last 168 hours\.$/,
      ),
    ])
    expect(await found()).toHaveLength(1)
  })

  it('finds runs of ended processes', async () => {
    const { folder, release } = await openRunFolder(join(lake, '_staging'))
    release()
    writeFileSync(join(folder, 'x'), '12345')
    expect(await found()).toEqual([])
    renameSync(folder, folder.replace(`-${process.pid}-`, '-2147483646-'))
    expect(await found()).toEqual(['note, leftovers: 1 run that is over left 5 bytes in LAKE/_staging.'])
  })

  it('finds tables of an older data format', async () => {
    toFormatOne(join(lake, 'iot_reward_shares'))
    expect(await found()).toEqual(['note, versions: iot_reward_shares has an older data format than 3.'])
  })

  it('finds folders that its user cannot write', async () => {
    const folders = [lake, join(lake, 'iot_reward_shares')]
    for (const folder of folders) chmodSync(folder, 0o555)
    chmodSync(dirname(lake), 0o755)
    const { stdout, code } = await runProgram(['doctor', '--lake', lake], {
      cwd: dirname(lake),
      asOther: true,
    })
    for (const folder of folders) chmodSync(folder, 0o755)
    expect(code).toBe(0)
    expect(stdout).toContain(`note, permissions: This user may not write ${lake} and `)
    expect(stdout).toContain(`note, permissions: This user may not write the state folder ${lake}/_state.`)
  })
})
