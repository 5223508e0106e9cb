import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ServiceError, sentenceOf } from '../../src/base/errors.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { readFault, withErrnoCodes } from '../../src/engine/duckdb/failures.ts'
import { openDuckdbEngine } from '../../src/engine/duckdb/queries/duckdb-engine.ts'
import { Session } from '../../src/engine/duckdb/session.ts'
import { sql, textList } from '../../src/engine/duckdb/sql.ts'
import { refuseUnwritable } from '../../src/lake/disk/unwritable.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { craftArtifact, oneDay } from '../support/messages/craft-artifacts.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const path = '/lake/iot_reward_shares/month=2025-01/part-1.parquet'

/** What DuckDB 1.5.6 says, and what becomes of it where a data file is read: a sentence about the lake, or a code. */
const causes: readonly (readonly [what: string, engineSays: string, becomes: string | undefined])[] = [
  [
    'a link out of the lake',
    `Permission Error: Cannot access file "${path}" - file system operations are disabled by configuration`,
    `${path} leads to a file outside the lake; restore it from a copy.`,
  ],
  [
    'a file that may not be read',
    `IO Error: Cannot open file "${path}": Permission denied`,
    `${path} cannot be read: permission is denied; allow this user to read it.`,
  ],
  [
    'a file that is missing',
    `IO Error: No files found that match the pattern "${path}"\n\nLINE 1: FROM read_parquet(`,
    `${path} is missing, cut or scrambled; restore it from a copy.`,
  ],
  [
    'a file that is cut',
    `Invalid Input Error: No magic bytes found at end of file '${path}'`,
    `${path} is missing, cut or scrambled; restore it from a copy.`,
  ],
  [
    'a file that is scrambled',
    "Invalid Error: don't know what type: \u000f",
    `${path} is missing, cut or scrambled; restore it from a copy.`,
  ],
  [
    'a file that the disk cannot read',
    `IO Error: Could not read from file "${path}": Input/output error`,
    `${path} is missing, cut or scrambled; restore it from a copy.`,
  ],
  ['too many open files', `IO Error: Cannot open file "${path}": Too many open files`, 'EMFILE'],
  ['no space', 'IO Error: Could not write file "/spill/a": No space left on device', 'ENOSPC'],
  ['a read-only file system', 'IO Error: Cannot open file "/spill/a": Read-only file system', 'EROFS'],
  ['a limit of file sizes', 'IO Error: Could not write file "/spill/a": File too large', 'EFBIG'],
  ['no memory', `IO Error: Could not read from file "${path}": Cannot allocate memory`, 'ENOMEM'],
  [
    'a file of a server that was restarted',
    `IO Error: Cannot open file "${path}": Stale file handle`,
    'ESTALE',
  ],
  ['an interrupted call', `IO Error: Could not read from file "${path}": Interrupted system call`, 'EINTR'],
  [
    'memory',
    "Out of Memory Error: failed to pin block (60 MiB/60 MiB used); see 'temp_directory'",
    undefined,
  ],
  ['its temporary files', 'IO Error: Could not read temporary file', undefined],
  ['other columns', 'Binder Error: Referenced column "b" not found in FROM clause', undefined],
  ['a fault of this program', 'Parser Error: syntax error at or near "FORM"', undefined],
]

describe('the cause of a failure while a data file is read is', () => {
  it.each(causes)('%s', (what, engineSays, becomes) => {
    const error = new Error(engineSays)
    // The words of an error of another file, which a statement may write, say nothing of this one.
    const file = engineSays.includes('/spill/') ? undefined : path
    const fault = readFault(error, file)
    if (becomes === undefined) expect(fault, what).toBe(error)
    else if (becomes.startsWith('E')) expect(fault).toMatchObject({ code: becomes, cause: error })
    else expect(fault).toMatchObject({ code: 'lake_damaged', message: becomes, cause: error })
  })

  it('not looked for in the name of a folder', () => {
    const odd = '/temporary/corrupt/Permission denied/part-1.parquet'
    const fault = readFault(new Error(`IO Error: No files found that match the pattern "${odd}"`), odd)
    expect(sentenceOf(fault)).toBe(`${odd} is missing, cut or scrambled; restore it from a copy.`)
  })

  it('not attributed to the copied file if the copy cannot be written', () => {
    const error = new Error('IO Error: Cannot open file "/staging/copy.parquet": Permission denied')
    expect(readFault(error, path)).toBe(error)
  })
})

describe('DuckDB itself', () => {
  let lake: string
  let snapshot: Snapshot
  let dataFile: string

  beforeAll(async () => {
    const folder = await temporaryFolder()
    lake = join(folder, 'lake')
    const share = { ...oneDay, reward_type: 'operational_reward', amount: 1n } as const
    await ingestInto(lake, [craftArtifact(folder, 'iot_reward_share', 1738110600999, [share])])
    snapshot = await new Lake(lake).latest()
    dataFile = snapshot.table(iotRewardShares).files[0]?.path ?? ''
  })

  async function openSession() {
    const session = await Session.open({ spillFolder: await temporaryFolder(), memoryMb: 64, threads: 1 })
    onTestFinished(() => session.close())
    return session
  }

  const scrambled = (bytes: Buffer) => bytes.map((byte, index) => (index > 8 ? byte ^ 0xff : byte))

  it.each<[string, (kept: string) => void, string]>([
    ['missing', () => {}, 'is missing, cut or scrambled; restore it from a copy.'],
    [
      'cut',
      (kept) => writeFileSync(dataFile, readFileSync(kept).subarray(0, 100)),
      'is missing, cut or scrambled; restore it from a copy.',
    ],
    ['empty', () => writeFileSync(dataFile, ''), 'is missing, cut or scrambled; restore it from a copy.'],
    [
      'scrambled',
      (kept) => writeFileSync(dataFile, scrambled(readFileSync(kept))),
      'is missing, cut or scrambled; restore it from a copy.',
    ],
    [
      'a link out of the lake',
      (kept) => symlinkSync(kept, dataFile),
      'leads to a file outside the lake; restore it from a copy.',
    ],
  ])('reports a data file that is %s', async (_, damage, words) => {
    const kept = join(lake, '..', 'kept.parquet')
    renameSync(dataFile, kept)
    damage(kept)
    onTestFinished(() => renameSync(kept, dataFile))
    const spillFolder = join(lake, '_state', 'spill')
    mkdirSync(spillFolder, { recursive: true })
    const limits = { memoryMb: 256, threads: 1, connections: 1 }
    const engine = await openDuckdbEngine({ folders: [lake], spillFolder, ...limits })
    onTestFinished(() => engine.close())
    const fault = await engine
      .count({ resource: iotRewardShares, where: [] }, snapshot)
      .catch((error: unknown) => error)
    expect(fault).toMatchObject({ code: 'lake_damaged' })
    expect(sentenceOf(fault)).toContain(words)
  })

  it('reports a file that is not readable', async () => {
    const session = await openSession()
    // Nobody may read it, root included.
    const unreadable = '/proc/sys/vm/compact_memory'
    const read = session.run(sql`FROM read_parquet(${unreadable})`)
    const fault = readFault(await read.catch((error: unknown) => error))
    expect(fault).toBeInstanceOf(ServiceError)
    expect(sentenceOf(fault)).toBe(
      `${unreadable} cannot be read: permission is denied; allow this user to read it.`,
    )
  })

  it.each([
    ['the newer one first', ['new', 'old'], /schema mismatch/],
    ['the older one first', ['old', 'new'], /Binder Error/],
  ])('reports no damage for files with different columns, %s', async (_, order, says) => {
    const session = await openSession()
    const pathOf = (name: string) => join(session.spillFolder, `${name}.parquet`)
    await session.run(sql`COPY (SELECT 1 AS a, 2 AS b) TO ${pathOf('new')}`)
    await session.run(sql`COPY (SELECT 1 AS a) TO ${pathOf('old')}`)
    const read = session.run(sql`SELECT a, b FROM read_parquet(${textList(order.map(pathOf))})`)
    const fault = await read.catch((error: unknown) => error)
    expect(sentenceOf(fault)).toMatch(says)
    expect(readFault(fault)).toBe(fault)
    expect(readFault(fault, pathOf('old'))).toBe(fault)
  })

  async function writeTo(path: string): Promise<unknown> {
    const writer = await openTestWriter(await temporaryFolder())
    onTestFinished(() => writer.close())
    const stage = await writer.openStage(iotRewardShares, [])
    return await stage.write(path, new Map(), null).catch((error: unknown) => error)
  }

  it('reports a failed write like Node, with a code and a message', async () => {
    const full = await writeTo('/dev/full')
    expect(full).toMatchObject({ code: 'ENOSPC' })
    expect(() => refuseUnwritable(full, 'lake')).toThrow('The lake lake cannot be written: no space is left.')
    const denied = await writeTo('/sys/file.parquet')
    expect(denied).toMatchObject({ code: 'EACCES' })
    expect(sentenceOf(denied)).toBe('permission is denied: /sys/file.parquet')
  })

  it('marks a failed write by its code only; other errors of a write do not change', async () => {
    const words = new Error('IO Error: No space left on device')
    expect(() => refuseUnwritable(words, 'lake')).toThrow(words)
    const unknown = await writeTo(join(await temporaryFolder(), 'missing', 'file.parquet'))
    expect(unknown).not.toHaveProperty('code')
    expect(() => refuseUnwritable(unknown, 'lake')).toThrow(unknown as Error)
  })

  it.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), /^Invalid Input Error: No magic bytes/],
    [
      'scrambled',
      (bytes: Buffer) => bytes.fill(0xff, bytes.length - 60, bytes.length - 8),
      /TProtocolException|^Invalid/,
    ],
    [
      'altered in the name of a column',
      (bytes: Buffer) =>
        bytes.fill('x', bytes.lastIndexOf('source_file'), bytes.lastIndexOf('source_file') + 1),
      /^Binder Error/,
    ],
  ])('reports a file that was just written and is %s', async (_, harm, engineSays) => {
    const writer = await openTestWriter(await temporaryFolder())
    onTestFinished(() => writer.close())
    const stage = await writer.openStage(iotRewardShares, [])
    const written = join(await temporaryFolder(), 'part-1.parquet')
    await stage.write(written, new Map(), null)
    writeFileSync(written, harm(readFileSync(written)))
    const fault = await writer.inspect(iotRewardShares, written).catch((error: unknown) => error)
    expect(fault).toMatchObject({
      code: 'lake_unwritable',
      cause: { message: expect.stringMatching(engineSays) },
    })
    expect(sentenceOf(fault)).toMatch(
      /^A file that was just written, or one of the lake, is cut or scrambled: .*check the disk and run it again\.$/,
    )
  })

  it('reports an error of the disk', async () => {
    const says = `IO Error: Could not read from file "${path}": Input/output error`
    const port = withErrnoCodes({ write: () => Promise.reject(new Error(says)) })
    await expect(port.write()).rejects.toMatchObject({ code: 'EIO' })
    expect(sentenceOf(readFault(new Error(says)))).toBe(
      `${path} is missing, cut or scrambled; restore it from a copy.`,
    )
  })

  it.each(['ENOSPC', 'EMFILE', 'EACCES', 'EROFS', 'EFBIG'])(
    'gives the code %s on every write',
    async (code) => {
      const [, engineSays = ''] =
        code === 'EACCES' ? (causes[1] ?? []) : (causes.find(([, , becomes]) => becomes === code) ?? [])
      const port = withErrnoCodes({ write: () => Promise.reject(new Error(engineSays)) })
      await expect(port.write()).rejects.toMatchObject({ code })
    },
  )
})
