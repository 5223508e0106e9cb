import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { contentOf } from '../../support/lakes/lake-content.ts'
import { iotReward, type MadeLake, makeLake, writeOracleFiles } from '../../support/lakes/make-lake.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { entryPath } from '../../support/tables/log-entries.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Copies of one lake that have gone on by themselves: versions 0 and 1 are the same, and what came then is not. */

let made: MadeLake
let home = ''
let lake = ''
let fork = ''

const TABLE = 'iot_reward_shares'
const file = (number: number) => `iot_reward_share.${number}.gz`
const shares = (day: number) => [iotReward(`2025-01-${day}`, 1, { beacon_amount: BigInt(day) })]

beforeAll(async () => {
  made = await makeLake({ [`iot/${file(1)}`]: shares(11) })
  await made.add({ [`iot/${file(2)}`]: shares(12) })
})

beforeEach(async () => {
  home = await temporaryFolder()
  lake = copyOf(made.folder, 'lake')
  fork = copyOf(made.folder, 'fork')
})

function copyOf(folder: string, name: string): string {
  cpSync(folder, join(home, name), { recursive: true, preserveTimestamps: true })
  return join(home, name)
}

async function commit(folder: string, ...days: readonly number[]): Promise<void> {
  for (const day of days) {
    const input = join(home, `input-${folder === fork ? 'fork' : 'own'}-${day}`)
    await writeOracleFiles(input, { [`iot/${file(day)}`]: shares(day) })
    await ingestInto(folder, [input])
  }
}

const entry = (folder: string, version: number) => entryPath(join(folder, TABLE), version)

/** Flips a bit of the amount of the statistics, and what the entry says of its own digest when it is not to be known. */
function damage(path: string, hidesDigest?: 'hides its digest'): void {
  const text = readFileSync(path, 'utf8')
  const damaged = text.replace('"add"', '"adc"')
  expect(damaged).not.toBe(text)
  writeFileSync(path, hidesDigest ? damaged.replace(/"digest":"../, '"digest":"zz') : damaged)
}

async function repair(from: string) {
  const { code, stdout, stderr } = await runMain([
    ...['verify', '--lake', lake, '--repair', '--from', from, '--json'],
  ])
  const { findings }: { findings: readonly { level: string; file: string }[] } = JSON.parse(stdout)
  const faults = findings.filter(({ level }) => level === 'fault').map((own) => own.file)
  return { code, stderr, faults }
}

describe('a repair from a copy', () => {
  it.each(['hides its digest', undefined] as const)(
    'restores the newest entry (%s) only from a copy of the same log',
    async (hides) => {
      await commit(lake, 13)
      await commit(fork, 14)
      const whole = copyOf(lake, 'whole')
      damage(entry(lake, 2), hides)
      const refused = await repair(fork)
      expect(refused.faults).toEqual([`${TABLE}/_delta_log/${'2'.padStart(20, '0')}.json`])
      expect(refused.code).toBe(4)
      expect(refused.stderr).toContain(
        `${fork} has no sound ${entry(lake, 2)} of the same log: in ${join(fork, TABLE)} nothing here shows that version 2 of it is the one that was lost: no later version is in both, and no file here is one that it alone added\n`,
      )
      expect(await repair(whole)).toMatchObject({ code: 0, faults: [] })
      expect(contentOf(lake)).toEqual(contentOf(whole))
    },
  )

  it('restores a missing entry only from a copy of the same log, however long the other log is', async () => {
    await commit(lake, 13, 15)
    const whole = copyOf(lake, 'whole')
    rmSync(entry(lake, 2))
    await commit(fork, 14)
    expect((await repair(fork)).stderr).toContain('nothing here shows that version 2 of it')
    await commit(fork, 16)
    const refused = await repair(fork)
    expect(refused.stderr).toContain(
      `${fork} has no sound ${entry(lake, 2)} of the same log: in ${join(fork, TABLE)} version 3 of it is another than here\n`,
    )
    expect(refused.code).toBe(4)
    expect(await repair(whole)).toMatchObject({ code: 0, faults: [] })
    expect(contentOf(lake)).toEqual(contentOf(whole))
  })

  it('restores the last entry of the copy if that entry added a data file of the lake', async () => {
    await commit(lake, 13)
    const whole = copyOf(lake, 'whole')
    await commit(lake, 15)
    rmSync(entry(lake, 2))
    expect(await repair(whole)).toMatchObject({ code: 0, faults: [] })
  })

  it('restores consecutive entries, the last by its digest and each earlier one by its successor', async () => {
    await commit(lake, 13, 15)
    const whole = copyOf(lake, 'whole')
    for (const version of [1, 2, 3]) {
      rmSync(join(lake, TABLE, addedBy(entry(lake, version))))
      damage(entry(lake, version), version === 3 ? undefined : 'hides its digest')
    }
    expect(await repair(whole)).toMatchObject({ code: 0, faults: [] })
    expect(contentOf(lake)).toEqual(contentOf(whole))
  })
})

/** The data file that an entry adds. */
function addedBy(path: string): string {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line)).find(({ add }) => add !== undefined).add.path
}

describe('a table with files but no log', () => {
  const lose = () => rmSync(join(lake, TABLE, '_delta_log'), { recursive: true })

  it('gets the log of a copy that names all its files, and then the files that this log names', async () => {
    await commit(lake, 13)
    const whole = copyOf(lake, 'whole')
    lose()
    const [month = ''] = readdirSync(join(lake, TABLE)).filter((name) => name.startsWith('month='))
    const [part = ''] = readdirSync(join(lake, TABLE, month))
    rmSync(join(lake, TABLE, month, part))
    const { code, faults, stderr } = await repair(whole)
    expect([code, faults]).toEqual([0, []])
    expect(stderr).toContain(`copied ${join(lake, TABLE, '_delta_log')} from ${whole}\n`)
    expect(contentOf(lake)).toEqual(contentOf(whole))
  })

  it('gets no log that leaves out one of its files, and none of another table', async () => {
    const older = copyOf(lake, 'older')
    await commit(lake, 13)
    lose()
    const forgetting = await repair(older)
    expect([forgetting.code, forgetting.faults]).toEqual([4, [TABLE]])
    expect(forgetting.stderr).toMatch(
      /the log does not name month=2025-01\/part-.*parquet; move such files out of the lake, and ingest their sources again afterwards\n/,
    )
    const other = (await makeLake({ [`iot/${file(1)}`]: shares(11) })).folder
    expect((await repair(other)).stderr).toContain('the log does not name month=2025-01/part-')
    expect((await repair(dirname(other))).code).toBe(4)
  })

  it('is reported even if it has a checkpoint pointer, and its files are not leftovers', async () => {
    for (const version of [0, 1]) rmSync(entry(lake, version))
    writeFileSync(join(lake, TABLE, '_delta_log', '_last_checkpoint'), '{}')
    const { stdout } = await runMain(['verify', '--lake', lake])
    expect(stdout).toContain(`fault, table: ${TABLE}\n  It has files and no log.`)
    expect(stdout).not.toContain('ledgerlake vacuum')
  })
})

it('verify refuses an unreadable --from, and reports a --from without a lake and without backups', async () => {
  damage(entry(lake, 1))
  const { code, stderr } = await runMain([
    ...['verify', '--lake', lake, '--repair', '--from', join(home, 'none')],
  ])
  expect([code, stderr]).toEqual([
    2,
    `ledgerlake: --from ${join(home, 'none')} cannot be read: no such file or folder: ${join(home, 'none')}.\n`,
  ])
  expect((await repair(home)).stderr).toContain(`${home} is not a lake and has no backups; use a lake`)
})
