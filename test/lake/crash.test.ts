import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { makers } from '../../src/catalog/l2/makers.ts'
import { rejects } from '../../src/catalog/lake/rejects.ts'
import { openDuckdbRowWriter } from '../../src/engine/duckdb/duckdb-row-writer.ts'
import { retryRejects } from '../../src/ingest/retry.ts'
import { openStagingRun } from '../../src/ingest/staging.ts'
import { commitFiles } from '../../src/lake/commit.ts'
import { Lake } from '../../src/lake/lake.ts'
import { ingestInto } from '../support/build-lake.ts'
import { readEntries } from '../support/delta-table.ts'
import { leftoversOf, tablesOf } from '../support/leftovers.ts'
import { olderBuild } from '../support/older-build.ts'
import { frameFile, len, message, operational } from '../support/oracle-messages.ts'
import { makerRecord, rowsBySource, writeRecords } from '../support/record-files.ts'
import { stageFile } from '../support/stage-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/**
 * A crash at each call of the file system: `dies` fails that call and all that follow, as if the process were gone;
 * `fails` fails that call alone, as a disk does.
 */
const crash = vi.hoisted(() => ({ at: Number.POSITIVE_INFINITY, mode: 'dies', calls: 0 }))

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>()
  type Call = (...args: never[]) => Promise<unknown>

  function refuse(): boolean {
    crash.calls += 1
    return crash.calls === crash.at || (crash.mode === 'dies' && crash.calls > crash.at)
  }
  const counted =
    (name: string, call: Call, onRefused: Call = async () => {}) =>
    async (...args: never[]) => {
      if (!refuse()) return await call(...args)
      await onRefused(...args)
      throw Object.assign(new Error(`EIO: i/o error, ${name}`), { code: 'EIO', syscall: name })
    }
  function countedHandle(handle: FileHandle): FileHandle {
    const half: Call = (content: string) => handle.writeFile(content.slice(0, content.length / 2))
    const calls: Readonly<Record<string, Call>> = {
      sync: counted('fsync', () => handle.sync()),
      writeFile: counted('write', (content: string) => handle.writeFile(content), half),
      // A process that is gone has no open files.
      close: counted(
        'close',
        () => handle.close(),
        () => handle.close(),
      ),
    }
    return new Proxy(handle, { get: (target, name) => calls[String(name)] ?? Reflect.get(target, name) })
  }
  const names = [
    'link',
    'mkdir',
    'readdir',
    'readFile',
    'rename',
    'rm',
    'stat',
    'unlink',
    'writeFile',
  ] as const
  const open = counted('open', (async (path: string, flags: string) =>
    countedHandle(await real.open(path, flags))) as Call)
  return {
    ...real,
    ...Object.fromEntries(names.map((name) => [name, counted(name, real[name] as unknown as Call)])),
    open,
  }
})

beforeEach(() => {
  crash.at = Number.POSITIVE_INFINITY
})

/** Does the work with a crash at one call. Gives false when the work was over before that call. */
async function crashing(work: () => Promise<unknown>, at: number): Promise<boolean> {
  Object.assign(crash, { at, calls: 0 })
  await work().catch((error: unknown) => expect(codesOf(error)).toContain('EIO'))
  crash.at = Number.POSITIVE_INFINITY
  return crash.calls >= at
}

/** Codes of an error and of what caused it. */
function codesOf(error: unknown): readonly unknown[] {
  if (!(error instanceof Error)) return []
  return ['code' in error ? error.code : undefined, ...codesOf(error.cause)]
}

/** What a run of this process left is as if its process were gone. */
async function endProcess(lake: string): Promise<void> {
  const staging = join(lake, '_staging')
  for (const run of await readdir(staging).catch(() => [])) {
    const [space, , ...id] = run.split('-')
    // No process has such a number.
    await rename(join(staging, run), join(staging, [space, 2147483646, ...id].join('-')))
  }
}

/** Every entry has the digest that it names, and no version is missing. */
function expectWholeLog(lake: string): void {
  for (const table of tablesOf(lake)) {
    for (const [version, entry] of readEntries(join(lake, table)).entries()) {
      const digest = /"digest":"([0-9a-f]{64})"/.exec(entry.text)?.[1] ?? ''
      expect(entry.version).toBe(version)
      expect(
        createHash('sha256')
          .update(entry.text.replace(digest, '0'.repeat(64)))
          .digest('hex'),
      ).toBe(digest)
      const added = entry.actions.flatMap(({ add }) => (add === undefined ? [] : [add]))
      const tags = added.map((add) => add.tags as Record<string, string>)
      const bytes = added.map((add) => readFileSync(join(lake, table, String(add.path))))
      expect(bytes.map((content) => createHash('sha256').update(content).digest('hex'))).toEqual(
        tags.map((tag) => tag['ledgerlake.sha256']),
      )
    }
  }
}

const modes = ['dies', 'fails'] as const

describe.each(modes)('a commit of two files whose process or disk %s at any call', (mode) => {
  async function commitTwo(lake: string): Promise<void> {
    const run = await openStagingRun(lake)
    try {
      const january = await stageFile(run.folder, 'january', ['a.gz'], '2025-01')
      const february = await stageFile(run.folder, 'february', ['a.gz'], '2025-02')
      const label = { operation: 'INGEST', runId: run.id }
      await commitFiles(lake, iotRewardShares, [january, february], label)
    } finally {
      await run.close()
    }
  }

  it('happens whole or not at all, and the next run leaves nothing but what the log names', async () => {
    crash.mode = mode
    const seen = new Set<number>()
    let at = 1
    for (let goesOn = true; goesOn; at += 1) {
      const lake = join(await temporaryFolder(), 'lake')
      goesOn = await crashing(() => commitTwo(lake), at)
      await endProcess(lake)
      const files = (await new Lake(lake).latest()).table(iotRewardShares).files
      seen.add(files.length)
      await commitTwo(lake)
      expect((await new Lake(lake).latest()).table(iotRewardShares).files).toHaveLength(2)
      expectWholeLog(lake)
      expect(leftoversOf(lake)).toEqual([])
    }
    expect([...seen].sort()).toEqual([0, 2])
    expect(at).toBeGreaterThan(40)
  })
})

it('an ingest that replaces a file happens whole or not at all when its process or disk fails', async () => {
  const [a, b] = ['iot_reward_share.1738371600001.gz', 'iot_reward_share.1738371600002.gz']
  const unknownReward = message(len(12, 'reward'))
  const folder = await temporaryFolder()
  const [input, before] = [join(folder, 'in'), join(folder, 'before')]
  mkdirSync(input)
  writeFileSync(join(input, a), frameFile([operational(1), unknownReward, unknownReward]))
  writeFileSync(join(input, b), frameFile([operational(100)]))
  await ingestInto(before, [input])
  writeFileSync(join(input, a), frameFile([unknownReward, operational(2)]))

  const seen = new Set<bigint | undefined>()
  // Every call would take a minute; a commit by itself is gone through call by call above.
  let at = 1
  for (let goesOn = true; goesOn; at += 3) {
    const lake = join(folder, `lake-${at}`)
    cpSync(before, lake, { recursive: true })
    crash.mode = modes[at % 2] ?? 'dies'
    goesOn = await crashing(() => ingestInto(lake, [input], { replace: true }), at)
    await endProcess(lake)
    seen.add((await held(lake)).amount)
    await ingestInto(lake, [input], { replace: true })
    expect(await held(lake)).toEqual({ amount: 102n, refused: 1 })
    expectWholeLog(lake)
    expect(leftoversOf(lake)).toEqual([])
  }
  expect([...seen].sort()).toEqual([101n, 102n])
  expect(at).toBeGreaterThan(90)
})

it('a retry of refused messages happens whole or not at all when its process or disk fails', async () => {
  const folder = await temporaryFolder()
  const [input, before] = [join(folder, 'in'), join(folder, 'before')]
  mkdirSync(input)
  const amounts = [1, 20, 300, 4000]
  writeFileSync(
    join(input, 'iot_reward_share.1738371600001.gz'),
    frameFile(amounts.map((amount) => operational(amount))),
  )
  // An older build knew only the first and the third.
  const openReader = olderBuild((row) => row.amount === 20n || row.amount === 4000n)
  await ingestInto(before, [input], { openReader })
  const openWriter = (spillFolder: string) => openDuckdbRowWriter({ spillFolder, memoryMb: 256, threads: 2 })

  const seen = new Set<bigint | undefined>()
  let at = 1
  for (let goesOn = true; goesOn; at += 3) {
    const lake = join(folder, `lake-${at}`)
    cpSync(before, lake, { recursive: true })
    crash.mode = modes[at % 2] ?? 'dies'
    const retry = () => retryRejects({ lake, kinds: ['iot_reward_share'], openWriter })
    goesOn = await crashing(retry, at)
    await endProcess(lake)
    seen.add((await held(lake)).amount)
    await retry()
    expect((await held(lake)).amount).toBe(4321n)
    expectWholeLog(lake)
    expect(leftoversOf(lake)).toEqual([])
  }
  expect([...seen].sort()).toEqual([301n, 4321n])
  expect(at).toBeGreaterThan(40)
})

it('an upsert happens whole or not at all when its process or disk fails', async () => {
  const folder = await temporaryFolder()
  const [input, before] = [join(folder, 'in'), join(folder, 'before')]
  mkdirSync(input)
  const give = (name: string, addresses: readonly string[]) =>
    writeRecords(
      join(input, name),
      addresses.map((address) => makerRecord(address, { name })),
    )
  give('makers-1.ndjson', ['a', 'b'])
  await ingestInto(before, [input])
  give('makers-2.ndjson', ['b', 'c'])

  const seen = new Set<string>()
  let at = 1
  for (let goesOn = true; goesOn; at += 3) {
    const lake = join(folder, `lake-${at}`)
    // Every other time there is no table yet.
    if (at % 2 === 1) cpSync(before, lake, { recursive: true })
    crash.mode = modes[at % 4 < 2 ? 0 : 1]
    goesOn = await crashing(() => ingestInto(lake, [input]), at)
    await endProcess(lake)
    seen.add(JSON.stringify(await rowsBySource(lake, makers)))
    await ingestInto(lake, [input])
    expect(await rowsBySource(lake, makers)).toEqual({ 'makers-1.ndjson': 1, 'makers-2.ndjson': 2 })
    expectWholeLog(lake)
    expect(leftoversOf(lake)).toEqual([])
  }
  expect([...seen].sort()).toEqual([
    '{"makers-1.ndjson":1,"makers-2.ndjson":2}',
    '{"makers-1.ndjson":2}',
    '{}',
  ])
  expect(at).toBeGreaterThan(40)
})

/** What a lake holds of IoT shares, and its refused messages. */
async function held(lake: string): Promise<{ amount: bigint | undefined; refused: number }> {
  const snapshot = await new Lake(lake).latest()
  const sums = snapshot.table(iotRewardShares).tally.sums({ from: 0n, to: 2n ** 62n }, ['amount'])
  return { amount: sums.amount, refused: snapshot.table(rejects).rows }
}
