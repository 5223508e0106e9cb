import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Event, lineOf, NOBODY, readLine } from '../../../src/keys/counting/event.ts'
import { EventLog } from '../../../src/keys/counting/event-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const event = (first: number, writer = NOBODY): Event => ({
  ...{ kind: 'used', id: 'aaaaaaaaaaaa', writer, at: 1_763_827_200_000, first, second: null },
})

/** A log whose outcome is the sum of all numbers, which needs one line to begin with. */
function openSum(folder: string, longest?: number) {
  let sum = 0
  const newReplica = () => {
    sum = 0
    return {
      apply: ({ first }: Event) => {
        sum += first ?? 0
      },
      events: () => [event(sum)],
    }
  }
  const log = new EventLog(folder, newReplica, longest)
  onTestFinished(() => log.close())
  return {
    append: (...numbers: number[]) => log.append(numbers.map((number) => event(number))),
    sum: () => sum,
  }
}

const freshFolder = async () => join(await temporaryFolder(), 'log')

describe('a line', () => {
  it('has 63 characters and is parsed to the written event', () => {
    const whole: Event = {
      ...{ kind: 'try', id: '6c12c6cd4fbc', writer: 'a1b2c3d4', at: 1_763_827_200_000 },
      ...{ first: 1_000_000, second: 600 },
    }
    expect(lineOf(whole)).toMatch(/^A 6c12c6cd4fbc a1b2c3d4 1763827200000 1000000 600 {10}[\w-]{4}$/)
    for (const one of [
      whole,
      { ...whole, first: null, second: null },
      { ...whole, first: 0, second: 0, at: 5 },
      { ...whole, first: 999_999_999_999, second: 9_999_999 },
    ]) {
      expect(lineOf(one)).toHaveLength(63)
      expect(readLine(lineOf(one))).toEqual(one)
    }
    const largest = { ...whole, first: Number.MAX_SAFE_INTEGER, second: Number.MAX_SAFE_INTEGER }
    expect(readLine(lineOf(largest))).toMatchObject({ first: 999_999_999_999, second: 9_999_999 })
  })

  it('with one flipped bit is rejected or parsed to the same event', () => {
    const line = Buffer.from(lineOf(event(41)), 'latin1')
    const read = Array.from(line.keys()).flatMap((place) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => {
        const altered = Buffer.from(line)
        altered[place] = (line[place] ?? 0) ^ (1 << bit)
        return readLine(altered.toString('latin1'))
      }),
    )
    expect(read).toEqual(Array(63 * 8).fill(undefined))
  })
})

describe('a log', () => {
  it('has the same sum for all that append to it and for later readers', async () => {
    const folder = await freshFolder()
    const [one, other] = [openSum(folder), openSum(folder)]
    for (let round = 1; round <= 10; round += 1) {
      one.append(1)
      expect(one.sum()).toBe(round * 101 - 100)
      other.append(100)
      expect(other.sum()).toBe(round * 101)
    }
    const late = openSum(folder)
    late.append(0)
    expect(late.sum()).toBe(1010)
  })

  it('continues in a new file once the current file is full, with several writers', async () => {
    const folder = await freshFolder()
    const logs = [openSum(folder, 640), openSum(folder, 640), openSum(folder, 640)]
    let sum = 0
    for (let round = 1; round <= 200; round += 1) {
      const log = logs[(round * round) % 3]
      sum += round
      log?.append(round)
      expect(log?.sum()).toBe(sum)
    }
    const names = readdirSync(folder)
    expect(names).toHaveLength(1)
    expect(Number(names[0])).toBeGreaterThan(10)
  })

  it('grows before it is rewritten, however long the summary is', async () => {
    const folder = await freshFolder()
    const log = openSum(folder, 1)
    for (let round = 1; round <= 60; round += 1) log.append(round)
    expect(Number(readdirSync(folder)[0])).toBeLessThan(40)
    expect(log.sum()).toBe(1830)
  })

  it('is continued after a process died before it created the next file', async () => {
    const folder = await freshFolder()
    openSum(folder, 10_000).append(7)
    const end = lineOf({ ...event(0), kind: 'end', id: '000000000000', first: null })
    // What stands behind the end does not count.
    appendFileSync(join(folder, '00000001'), `${end}\n${lineOf(event(1000))}\n`)
    const [one, other] = [openSum(folder), openSum(folder)]
    one.append(1)
    other.append(1)
    expect([other.sum(), readdirSync(folder)]).toEqual([9, ['00000002']])
  })

  it('ignores a line that a full disk truncated', async () => {
    const folder = await freshFolder()
    openSum(folder).append(7)
    const path = join(folder, '00000001')
    appendFileSync(path, lineOf(event(1000)).slice(0, 20))
    const log = openSum(folder)
    log.append(1)
    expect([log.sum(), openSum(folder).sum()]).toEqual([8, 0])
    expect(readFileSync(path, 'latin1').split('\n').map(readLine)).toEqual([
      event(7),
      undefined,
      event(1),
      undefined,
    ])
  })

  it('rejects an event if its folder is missing or its file is none', async () => {
    const folder = await freshFolder()
    const log = openSum(join(folder, 'deeper'))
    expect(() => log.append(1)).toThrow('ENOENT')
    writeFileSync(folder, '')
    expect(() => openSum(folder).append(1)).toThrow('ENOTDIR')
    const another = await freshFolder()
    mkdirSync(join(another, '00000001'), { recursive: true })
    expect(() => openSum(another).append(1)).toThrow('EISDIR')
  })
})
