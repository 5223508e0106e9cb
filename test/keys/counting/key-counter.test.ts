import fs, { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type KeyCounter, openCounterOf } from '../../../src/keys/counting/key-counter.ts'
import { damagedEvents, logFolderOf } from '../../../src/keys/counting/log-files.ts'
import { readUsed } from '../../../src/keys/counting/read-used.ts'
import { Tally } from '../../../src/keys/counting/tally.ts'
import { checksumOf } from '../../../src/keys/line-checksum.ts'
import { writeOlderUsage } from '../../support/older-usage.ts'
import { replaceBuiltin } from '../../support/replace-builtin.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait.ts'

let isFull = false
let isUnclosable = false
replaceBuiltin(fs, (real) => ({
  closeSync: ((descriptor: number) => {
    real.closeSync(descriptor)
    if (isUnclosable) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
  }) as typeof real.closeSync,
  writeSync: ((...args: Parameters<typeof real.writeSync>) => {
    if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    return real.writeSync(...args)
  }) as typeof real.writeSync,
}))

const start = Date.parse('2026-11-21T10:00:00Z')
const id = 'aaaaaaaaaaaa'
const key = (quotaPer30Days: number | null, ratePerMinute: number | null = null) => ({
  ...{ id, quotaPer30Days, ratePerMinute },
})

const freshFile = async () => join(await temporaryFolder(), 'keys.ndjson')

function open(
  file: string,
  onError: (error: unknown) => void = (error) => expect.fail(String(error)),
  retryMs = 0,
): KeyCounter {
  const counter = openCounterOf(file, onError, undefined, retryMs)
  onTestFinished(() => counter.close())
  return counter
}

const usedIn = (file: string) => readUsed(file, (error) => expect.fail(String(error)))(id)?.used

/** Takes, and spends what was not refused. */
const use = (counter: KeyCounter, of = key(5), now = start) => {
  const { refused, quota } = counter.take(of, now)
  if (refused === undefined && of.quotaPer30Days !== null) counter.spend(id, now)
  return refused ?? quota.left
}

describe('a quota', () => {
  it('continues the log of a build that reserved requests, and counts each once', async () => {
    const file = await freshFile()
    const line = (letter: string, first = '-') => {
      const text = `${letter} ${id} 0123abcd ${start} ${first} -`.padEnd(58)
      return `${text} ${checksumOf(text)}\n`
    }
    mkdirSync(logFolderOf(file))
    const lines = [
      line('H', '1'),
      line('T', '5'),
      line('S'),
      line('T', '5'),
      line('S'),
      line('T', '5'),
      line('R'),
    ]
    writeFileSync(join(logFolderOf(file), '00000001'), lines.join(''))
    expect(damagedEvents(lines.join(''))).toEqual([])
    expect(usedIn(file)).toBe(2)
    expect(use(open(file))).toBe(3)
    expect(usedIn(file)).toBe(3)
  })

  it('is kept when the disk reports an error on closing', async () => {
    const file = await freshFile()
    const counter = open(file)
    expect([use(counter), use(counter)]).toEqual([5, 4])
    isUnclosable = true
    onTestFinished(() => {
      isUnclosable = false
    })
    counter.close()
    expect(use(open(file))).toBe(3)
  })

  it('is exact over several counters', async () => {
    const file = await freshFile()
    const counters = [open(file), open(file), open(file)]
    const got = Array.from({ length: 9 }, (_, turn) => use(counters[turn % 3] as KeyCounter))
    expect(got).toEqual([5, 4, 3, 2, 1, 'quota', 'quota', 'quota', 'quota'])
    expect(usedIn(file)).toBe(5)
  })

  it('is exact over several counters that count many requests at once', async () => {
    const file = await freshFile()
    const counters = [open(file), open(file)]
    const tries = (count: number) =>
      Array.from({ length: count }, () => ({ key: key(1500, 2000), at: start }))
    const accepted = [700, 600, 1, 500, 3].map((count, turn) => {
      const results = (counters[turn % 2] as KeyCounter).takeAll(tries(count))
      expect(results).toHaveLength(count)
      return results.filter(({ refused }) => refused === undefined).length
    })
    expect(accepted).toEqual([700, 600, 1, 199, 0])
    expect(usedIn(file)).toBe(1500)
  })

  it('returns the latest results, also if earlier tries of the same counter were read again', () => {
    const tally = new Tally('aaaaaaaa')
    const one = { id, at: start, first: 9, second: null, kind: 'try', writer: 'aaaaaaaa' } as const
    for (let count = 0; count < 3; count += 1) tally.apply(one)
    expect(tally.takeResults(2).map(({ quota }) => quota.left)).toEqual([8, 7])
  })

  it('refuses the later of two attempts on the same log by different readers', () => {
    const of = { id, at: start, first: 1, second: null, kind: 'try' } as const
    const refusedOf = (reader: string) => {
      const tally = new Tally(reader)
      for (const writer of ['aaaaaaaa', 'bbbbbbbb']) tally.apply({ ...of, writer })
      return tally.takeResults(1)[0]?.refused
    }
    expect([refusedOf('aaaaaaaa'), refusedOf('bbbbbbbb')]).toEqual([undefined, 'quota'])
  })

  it('counts requests in flight of other counters until they are released', async () => {
    const file = await freshFile()
    const [one, other] = [open(file), open(file)]
    for (let count = 0; count < 5; count += 1) expect(one.take(key(5), start).refused).toBeUndefined()
    expect(other.take(key(5), start).refused).toBe('quota')
    one.release(id, start)
    expect(other.take(key(5), start)).toMatchObject({ refused: undefined, quota: { left: 1 } })
    one.spend(id, start)
    expect([other.take(key(5), start).refused, usedIn(file)]).toEqual(['quota', 5])
  })

  it('begins with the first request that is not released', async () => {
    const counter = open(await freshFile())
    counter.take(key(5), start)
    counter.release(id, start)
    expect(counter.take(key(5), start + 1000).quota).toEqual({ since: start + 1000, used: 0, left: 5 })
  })

  it('gets a request back in the window that it was counted in', async () => {
    const counter = open(await freshFile())
    const later = start + 30 * 86_400_000
    expect(use(counter, key(2))).toBe(2)
    counter.take(key(2), start + 1)
    expect(use(counter, key(2), later)).toBe(2)
    counter.release(id, start + 1)
    expect(counter.take(key(2), later + 1).quota.left).toBe(1)
  })

  it('gets back the requests in flight of a closed counter', async () => {
    const file = await freshFile()
    const [one, other] = [open(file), open(file)]
    for (let count = 0; count < 5; count += 1) one.take(key(5), start)
    one.close()
    expect(other.take(key(5), start).quota.left).toBe(5)
  })

  it('continues from the usage file of an older build until the log has the key', async () => {
    const file = await freshFile()
    writeOlderUsage(file, id, { since: start - 1000, used: 3 })
    expect(usedIn(file)).toBe(3)
    expect([use(open(file)), use(open(file)), use(open(file))]).toEqual([2, 1, 'quota'])
    expect(usedIn(file)).toBe(5)
  })

  it('restarts after thirty days with the first counted request', async () => {
    const counter = open(await freshFile())
    const later = start + 30 * 86_400_000
    expect([use(counter, key(1)), use(counter, key(1), later - 1), use(counter, key(1), later)]).toEqual([
      1,
      'quota',
      1,
    ])
    expect(counter.take(key(1), later + 5)).toMatchObject({ refused: 'quota', quota: { since: later } })
  })
})

describe('a rate', () => {
  it('is exact over several counters, and restarts a minute after the first request', async () => {
    const file = await freshFile()
    const counters = [open(file), open(file)]
    const got = [0, 1, 20_000, 59_999, 60_000, 60_001].map(
      (ms, turn) => use(counters[turn % 2] as KeyCounter, key(null, 2), start + ms) === 'rate',
    )
    expect(got).toEqual([false, false, true, true, false, false])
    expect(counters[0]?.take(key(null, 2), start + 60_002)).toMatchObject({
      refused: 'rate',
      minute: { start: start + 60_000, count: 3 },
    })
  })

  it('that refuses a request uses no quota, and a refusing quota uses no rate', async () => {
    const counter = open(await freshFile())
    expect(use(counter, key(2, 1))).toBe(2)
    expect(use(counter, key(2, 1))).toBe('rate')
    expect(use(counter, key(2, 1), start + 60_000)).toBe(1)
    expect(use(counter, key(2, 1), start + 60_001)).toBe('quota')
    expect(counter.take(key(2, 1), start + 60_002).minute.count).toBe(1)
  })

  it('allows no extra request after the clock was set back, and refuses for at most a minute', async () => {
    const file = await freshFile()
    const counters = [open(file), open(file)]
    const back = start - 3_600_000
    const got = [start, start + 1, back, back + 59_999, back + 60_000, back + 60_001].map(
      (at, turn) => use(counters[turn % 2] as KeyCounter, key(null, 2), at) === 'rate',
    )
    expect(got).toEqual([false, false, true, true, false, false])
  })
})

const DAY_MS = 86_400_000

describe('a quota when the clock', () => {
  it('is set back continues from its usage, and resets after thirty days', async () => {
    const file = await freshFile()
    const back = start - 1000 * DAY_MS
    const [one, other] = [open(file), open(file)]
    expect([use(one, key(2)), use(one, key(2)), use(other, key(2), back)]).toEqual([2, 1, 'quota'])
    expect(one.take(key(2), back + 5)).toMatchObject({ refused: 'quota', quota: { since: back } })
    expect(use(one, key(2), back + 30 * DAY_MS - 1)).toBe('quota')
    expect(use(one, key(2), back + 30 * DAY_MS)).toBe(2)
  })

  it.each([31, 36_500])(
    'was %i days ahead for a while continues the earlier window with all its usage',
    async (days) => {
      const file = await freshFile()
      const [one, other] = [open(file), open(file)]
      const ahead = start + days * DAY_MS
      expect([use(one, key(5)), use(one, key(5)), use(one, key(5), ahead)]).toEqual([5, 4, 5])
      expect(use(other, key(5), start + 1000)).toBe(2)
      expect(use(open(file), key(5), start + 2000)).toBe(1)
      expect(use(other, key(5), start + 3000)).toBe('quota')
      expect(usedIn(file)).toBe(5)
      expect(use(other, key(5), start + 30 * DAY_MS)).toBe(5)
    },
  )

  it('was always ahead and is set right starts a new window with its usage', async () => {
    const file = await freshFile()
    const ahead = start + 36_500 * DAY_MS
    const counter = open(file)
    expect([use(counter, key(2), ahead), use(counter, key(2), start), use(counter, key(2), start)]).toEqual([
      2,
      1,
      'quota',
    ])
    expect(use(open(file), key(2), start + 30 * DAY_MS)).toBe(2)
  })
})

it('a counter that starts from a summary gives the same quota after clock changes', () => {
  const of = { id, writer: 'aaaaaaaa', first: null, second: null }
  const used = (tally: Tally) => {
    tally.apply({ ...of, kind: 'try', at: start + 5, first: 9 })
    return tally.takeResults(1)[0]?.quota
  }
  const [tally, next] = [new Tally('aaaaaaaa'), new Tally('aaaaaaaa')]
  for (const at of [start, start + 31 * DAY_MS]) tally.apply({ ...of, kind: 'spend', at })
  for (const event of tally.events()) next.apply(event)
  const expected = { since: start, used: 2, left: 7 }
  expect([used(tally), used(next)]).toEqual([expected, expected])
})

describe('a log that cannot be written', () => {
  it('is reported, counting continues in memory, and it is written when possible', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'missing', 'keys.ndjson')
    const errors: unknown[] = []
    const counter = open(file, (error) => errors.push(error))
    expect([use(counter), use(counter)]).toEqual([5, 4])
    expect(errors.length).toBeGreaterThan(0)
    mkdirSync(join(folder, 'missing'))
    const reported = errors.length
    expect(use(counter)).toBe(3)
    expect([errors.length, usedIn(file), use(open(file))]).toEqual([reported, 3, 2])
  })

  it('gets the requests that were counted without it once it is readable', async () => {
    const file = await freshFile()
    const log = `${file.replace('.ndjson', '.usage')}.log`
    use(open(file))
    renameSync(log, `${log}.away`)
    mkdirSync(join(log, '00000001'), { recursive: true })
    const errors: unknown[] = []
    const counter = open(file, (error) => errors.push(error))
    expect([use(counter), use(counter)]).toEqual([5, 4])
    expect(errors.length).toBeGreaterThan(0)
    rmSync(log, { recursive: true })
    renameSync(`${log}.away`, log)
    expect([use(counter), usedIn(file)]).toEqual([2, 4])
    chmodSync(log, 0o700)
  })

  it('gets releases that failed on a full disk later, and is not retried for each request', async () => {
    const errors: unknown[] = []
    const file = await freshFile()
    const counter = open(file, (error) => errors.push(error), 50)
    for (const _ of [1, 2, 3]) counter.take(key(5), start)
    isFull = true
    for (const _ of [1, 2, 3]) counter.release(id, start)
    isFull = false
    expect(errors).toHaveLength(1)
    // Others count from the log alone.
    const other = open(file)
    await waitFor(() => {
      counter.take(key(null, 1000), start)
      const { left } = other.take(key(5), start).quota
      other.release(id, start)
      expect(left).toBe(5)
    })
  })
})
