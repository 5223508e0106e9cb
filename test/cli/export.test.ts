import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openOutFile } from '../../src/cli/out-file.ts'
import { fileFormats } from '../support/export/read-files.ts'
import { deriveAll } from '../support/lakes/derive-all.ts'
import { hotspot, iotReward, makeLake, thirtyShares } from '../support/lakes/make-lake.ts'
import { copySmallLake } from '../support/lakes/small-lake.ts'
import { makePipe } from '../support/make-pipe.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { runMain } from '../support/servers/run-main.ts'
import { runProgram, startProgram } from '../support/servers/run-program.ts'
import { makeFolder } from '../support/temporary-folder.ts'

let cwd: string
let remove: () => Promise<void>
const range = ['--from', '2019-01-01', '--to', '2027-01-01']

beforeAll(async () => {
  const made = await makeFolder()
  cwd = made.folder
  remove = made.remove
  await copySmallLake(join(cwd, 'lake'))
})

afterAll(() => remove())

const run = (...args: string[]) => runMain(['export', ...args, '--lake', 'lake'], { cwd })

describe('export', () => {
  it('writes the bytes of REST, and leaves no temporary file', async () => {
    const { code, stdout, stderr } = await run(
      'iot-reward-shares',
      ...range,
      '--columns',
      'id,usd',
      '--out',
      'a.csv',
    )
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^\d+ rows of iot_reward_shares, snapshot \S+, are in a\.csv\n$/)
    const server = await buildTestServer(join(cwd, 'lake'))
    const { text } = await server.get(
      '/l2/iot-reward-shares?from=2019-01-01&to=2027-01-01&format=csv&columns=id,usd',
    )
    await server.close()
    expect(readFileSync(join(cwd, 'a.csv'), 'utf8')).toBe(text)
    expect(readdirSync(cwd).filter((name) => name.startsWith('a.csv'))).toEqual(['a.csv'])
  })

  it('takes filters, and the format by its name', async () => {
    const asked = ['--reward-type', 'operational_reward', '--format', 'ndjson', '--columns', 'reward_type']
    expect((await run('iot_reward_shares', ...range, ...asked, '--out', 'b')).code).toBe(0)
    const lines = new Set(readFileSync(join(cwd, 'b'), 'utf8').split('\n'))
    expect(lines).toEqual(new Set(['{"reward_type":"operational_reward"}', '']))
  })

  it('takes the days of a month or of a year, by the name that REST has for them', async () => {
    const { folder } = await makeLake({
      'iot/iot_reward_share.1.gz': ['2025-02-01', '2025-02-02', '2025-03-01', '2025-03-02', '2026-01-01'].map(
        (end, day) => iotReward(end, 1, { beacon_amount: BigInt(day) }),
      ),
    })
    const amounts = async (...flags: string[]) => {
      const args = ['export', 'iot_reward_shares', ...flags, '--columns', 'beacon_amount', '--lake', folder]
      const { code, stderr } = await runMain([...args, '--out', 'days.csv', '--force'], { cwd })
      return code === 0 ? readFileSync(join(cwd, 'days.csv'), 'utf8').trimEnd().split('\n').slice(1) : stderr
    }
    // The pay of 31 January ends with the month, and that of 28 February on 1 March.
    expect(await amounts('--month', '2025-02')).toEqual(['1', '2'])
    expect(await amounts('--year', '2025')).toEqual(['0', '1', '2', '3', '4'])
    expect(await amounts('--first-day', '2025-01-31', '--last-day', '2025-02-01')).toEqual(['0', '1'])
    expect(await amounts('--month', '2025-2')).toContain('Use a month such as 2025-02.')
    expect(await amounts('--month', '2025-02', '--to', '2025-03-01')).toContain(
      "cannot be used with option '--to",
    )
  })

  it('fails for a reward type without rows in the ledger, and writes no file', async () => {
    const { code, stderr } = await run('l1-rewards', '--type', 'data_credits', '--out', 'none.csv')
    expect(code).toBe(2)
    expect(stderr).toMatch(/type is "data_credits", which no record has; use one of .*; did you mean dc_/)
    expect(existsSync(join(cwd, 'none.csv'))).toBe(false)
  })

  it.each(['nonsense', hotspot(99).text])(
    'fails for an unknown hotspot, and writes no file: %s',
    async (key) => {
      const asked = ['iot_reward_shares', ...range, '--hotspot-key', key, '--out', 'none.csv']
      const { code, stderr } = await run(...asked)
      expect([code, existsSync(join(cwd, 'none.csv'))]).toEqual([1, false])
      expect(stderr).toContain(
        `Nothing has the hotspot_key "${key}"; check its spelling. No file was written.`,
      )
    },
  )

  it('reads the rewards of a hotspot from the index by hotspot, as serve does', async () => {
    // As many rows as it takes for an index to be worthwhile.
    const { folder } = await makeLake({
      'iot/iot_reward_share.1.gz': Array.from({ length: 334 }, () => thirtyShares('2025-01-10')).flat(),
    })
    await deriveAll(folder)
    const table = join(folder, 'iot_reward_shares')
    const data = readdirSync(table, { recursive: true, encoding: 'utf8' })
    const gone = data.filter((name) => name.endsWith('.parquet') && !name.includes('_delta_log'))
    expect(gone.length).toBeGreaterThan(0)
    for (const name of gone) rmSync(join(table, name))
    const asked = ['export', 'iot_reward_shares', ...range, '--columns', 'beacon_amount', '--lake', folder]
    const ofOne = ['--hotspot-key', hotspot(3).text, '--out', 'one.csv']
    expect(await runMain([...asked, ...ofOne], { cwd })).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(join(cwd, 'one.csv'), 'utf8')).toBe(`beacon_amount\n${'7\n'.repeat(334)}`)
    expect((await runMain([...asked, '--out', 'all.csv'], { cwd })).code).toBe(4)
  })

  it.each([
    [['iot_rewards', '--out', 'c.csv'], 'iot_reward_shares'],
    [['iot_reward_shares', '--out', 'c.csv'], 'from is required'],
    [['iot_reward_shares', ...range, '--out', 'c.txt'], `Name a format: --format ${fileFormats.join(', ')}.`],
    [['iot_reward_shares', ...range, '--out', 'c.csv', '--columns', 'ids'], 'columns is "ids"'],
    [['makers', ...range, '--out', 'c.csv'], 'from'],
  ])('refuses %j', async (args, sentence) => {
    const { code, stderr } = await run(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(sentence)
    expect(existsSync(join(cwd, 'c.csv'))).toBe(false)
  })

  it('fails with a sentence if it cannot write, and leaves no file', async () => {
    const { code, stderr } = await run('makers', '--out', 'missing/folder.csv')
    expect([code, stderr]).toMatchObject([
      4,
      expect.stringContaining('Cannot write missing/folder.csv: no such file or folder'),
    ])
  })

  const ids = (...args: string[]) => run('makers', '--columns', 'id', '--format', 'csv', ...args)

  it('replaces no file without --force, and with it none when it fails', async () => {
    expect((await ids('--out', 'kept.csv')).code).toBe(0)
    const before = readFileSync(join(cwd, 'kept.csv'), 'utf8')
    const others = ['makers', '--columns', 'name', '--out', 'kept.csv']
    expect(await run(...others)).toMatchObject({
      code: 2,
      stderr:
        'ledgerlake: --out kept.csv is there already; name another file, or add --force to replace it.\n',
    })
    expect((await run(...others, '--as-of', '2001-01-01', '--force')).code).toBe(2)
    expect(readFileSync(join(cwd, 'kept.csv'), 'utf8')).toBe(before)
    expect((await run(...others, '--force')).code).toBe(0)
    expect(readFileSync(join(cwd, 'kept.csv'), 'utf8')).toMatch(/^name\n/)
  })

  it('follows links, and keeps the mode and the other names of a file that it replaces', async () => {
    const path = (name: string) => join(cwd, name)
    writeFileSync(path('private.csv'), 'mine', { mode: 0o640 })
    chmodSync(path('private.csv'), 0o640)
    symlinkSync('private.csv', path('link.csv'))
    symlinkSync('new.csv', path('dangling.csv'))
    writeFileSync(path('twice.csv'), 'mine'.repeat(1000))
    linkSync(path('twice.csv'), path('other.csv'))
    for (const name of ['link.csv', 'dangling.csv', 'twice.csv'])
      expect((await ids('--out', name, '--force')).code).toBe(0)
    const wanted = readFileSync(path('private.csv'), 'utf8')
    expect(wanted.split('\n')).toHaveLength(1 + 6 + 1)
    expect(statSync(path('private.csv')).mode & 0o777).toBe(0o640)
    expect(
      [lstatSync(path('link.csv')), lstatSync(path('dangling.csv'))].every((one) => one.isSymbolicLink()),
    ).toBe(true)
    expect(readFileSync(path('new.csv'), 'utf8')).toBe(wanted)
    expect(readFileSync(path('other.csv'), 'utf8')).toBe(wanted)
    expect(readdirSync(cwd).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  const rules = { force: true, isStreamed: false }

  it('is written where no other user can read it or leave a link', async () => {
    const file = await openOutFile(join(cwd, 'hidden.csv'), rules)
    await file.fill(async (draft) => {
      expect([existsSync(draft), statSync(dirname(draft)).mode & 0o777]).toEqual([false, 0o700])
      writeFileSync(draft, 'mine')
    })
    expect(readFileSync(join(cwd, 'hidden.csv'), 'utf8')).toBe('mine')
  })

  it('keeps its temporary file, and names it, if a file with several names cannot be overwritten', async () => {
    const path = join(cwd, 'shared.csv')
    writeFileSync(path, 'before')
    linkSync(path, join(cwd, 'second.csv'))
    const file = await openOutFile(path, rules)
    let kept = ''
    const filled = file.fill(async (draft) => {
      kept = draft
      writeFileSync(draft, 'mine')
      rmSync(path)
      mkdirSync(path)
    })
    await expect(filled).rejects.toThrow(/^Cannot write .*the new file is whole in .*shared\.csv\.$/)
    expect(readFileSync(kept, 'utf8')).toBe('mine')
  })

  it('writes into a pipe, which stays one, and into no folder', async () => {
    const pipe = join(cwd, 'pipe.csv')
    makePipe(pipe)
    const reading = readFile(pipe, 'utf8')
    expect((await ids('--out', 'pipe.csv')).code).toBe(0)
    expect((await reading).split('\n')).toHaveLength(1 + 6 + 1)
    expect(lstatSync(pipe).isFIFO()).toBe(true)
    expect((await ids('--out', 'lake')).stderr).toContain('--out lake is a folder; name a file.')
  })

  it('waits for the reader of a pipe, and ends on SIGTERM if none comes', async () => {
    const pipe = join(cwd, 'unread.pipe')
    makePipe(pipe)
    const { child, finished } = startProgram(
      ['export', 'makers', '--lake', 'lake', '--format', 'csv', '--out', pipe],
      {
        cwd,
      },
    )
    await delay(2000)
    child.kill('SIGTERM')
    expect(await finished).toMatchObject({ code: null, stdout: '' })
  })

  it('writes nothing but the data to standard output', async () => {
    const args = ['export', 'makers', '--format', 'csv', '--columns', 'id', '--out', '-', '--lake', 'lake']
    const { code, stdout, stderr } = await runProgram(args, { cwd })
    expect([code, stdout.split('\n').length, stderr]).toEqual([0, 1 + 6 + 1, ''])
  })

  it('leaves no file when the disk is full', async () => {
    const args = ['export', 'iot_reward_shares', ...range, '--out', 'full.csv', '--lake', 'lake']
    const { code, stderr } = await runProgram(args, { cwd, fileBlocks: 64 })
    expect([code, stderr]).toEqual([
      4,
      'ledgerlake: Cannot write full.csv: a file would be longer than this process may write.\n',
    ])
    expect(readdirSync(cwd).filter((name) => name.startsWith('full.csv'))).toEqual([])
  })

  it('leaves no file when it is interrupted', async () => {
    const { child, finished } = startProgram(
      ['export', 'iot_reward_shares', ...range, '--out', 'cut.csv', '--lake', 'lake'],
      { cwd },
    )
    const written = () => readdirSync(cwd).filter((name) => name.startsWith('cut.csv'))
    while (written().length === 0 && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 1))
    child.kill('SIGINT')
    await finished
    // It may have been faster; then the file is whole and has its name.
    expect([[], ['cut.csv']]).toContainEqual(written())
    expect(child.exitCode === 0).toBe(written().length === 1)
  })
})
