import { appendFileSync, closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { UsageFile, usageAt } from '../../../src/operate/keys/usage-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const [first, second] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb']
const day = 86_400_000
const start = Date.parse('2026-11-21T10:00:00Z')

function open(path: string, onError: (error: unknown) => void = (error) => expect.fail(String(error))) {
  const usage = new UsageFile(path, onError)
  onTestFinished(() => usage.close())
  return usage
}

const freshFile = async () => join(await temporaryFolder(), 'keys.usage')

describe('the usage file', () => {
  it('has a line for each key, which anyone can read', async () => {
    const path = await freshFile()
    const usage = open(path)
    for (let used = 1; used <= 12; used += 1) usage.write(first, { since: start, used })
    usage.write(second, { since: start + 5000, used: 1 })
    const lines = readFileSync(path, 'utf8').split('\n')
    expect(lines.map((line) => line.slice(0, 58))).toEqual([
      'aaaaaaaaaaaa 2026-11-21T10:00:00.000Z 00000000000000000012',
      'bbbbbbbbbbbb 2026-11-21T10:00:05.000Z 00000000000000000001',
      '',
    ])
    expect(lines.slice(0, 2).map((line) => line.length)).toEqual([63, 63])
    expect(open(path).find(first)).toEqual({ since: start, used: 12 })
  })

  it('has one line for a key that two processes write', async () => {
    const path = await freshFile()
    const [one, other] = [open(path), open(path)]
    one.write(first, { since: start, used: 1 })
    other.write(second, { since: start, used: 1 })
    other.write(first, { since: start, used: 2 })
    one.write(second, { since: start, used: 2 })
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(3)
    expect([open(path).find(first)?.used, open(path).find(second)?.used]).toEqual([2, 2])
  })

  it('keeps the later count of a window when a slower process writes an earlier one', async () => {
    const path = await freshFile()
    const [fast, slow] = [open(path), open(path)]
    fast.write(first, { since: start, used: 700 })
    slow.write(first, { since: start, used: 694 })
    expect(open(path).find(first)).toEqual({ since: start, used: 700 })
    slow.write(first, { since: start + 30 * day, used: 1 })
    expect(open(path).find(first)).toEqual({ since: start + 30 * day, used: 1 })
  })

  it('says nothing of keys that it has no line of, and is not made by a look', async () => {
    const path = await freshFile()
    expect(open(path).find(first)).toBeUndefined()
    expect(() => readFileSync(path)).toThrow()
  })

  it('passes over what is no line and says so once, and goes on in whole lines', async () => {
    const path = await freshFile()
    const told: string[] = []
    const tell = (error: unknown) => told.push((error as Error).message)
    writeFileSync(path, 'someone wrote here')
    open(path, tell).write(first, { since: start, used: 1 })
    expect(open(path, tell).find(first)?.used).toBe(1)
    appendFileSync(path, 'and again')
    const usage = open(path, tell)
    usage.write(second, { since: start, used: 1 })
    expect([usage.find(first)?.used, usage.find(second)?.used]).toEqual([1, 1])
    const line = (number: number) =>
      `Line ${number} of ${path} is not as it was written; what its key has used is counted anew.`
    expect(told).toEqual([line(1), line(1), line(1), line(3)])
  })

  it('forgets a line and tells it where any bit is another, and keeps those of other keys', async () => {
    const path = await freshFile()
    const before = open(path)
    before.write(first, { since: start, used: 7 })
    before.write(second, { since: start, used: 1 })
    const bytes = readFileSync(path)
    const file = openSync(path, 'r+')
    for (let bit = 0; bit < 64 * 8; bit += 1) {
      const place = bit >> 3
      writeSync(file, Buffer.of((bytes[place] ?? 0) ^ (1 << (bit & 7))), 0, 1, place)
      let told = 0
      const usage = new UsageFile(path, () => {
        told += 1
      })
      expect([bit, usage.find(first), usage.find(second)?.used, told]).toEqual([bit, undefined, 1, 1])
      usage.close()
      writeSync(file, bytes, place, 1, place)
    }
    closeSync(file)
  })

  it('reads a line of a build that wrote no checksums, and writes one with a checksum in its place', async () => {
    const path = await freshFile()
    writeFileSync(path, `${first} 2026-11-21T10:00:00.000Z 00000000000000000041     \n`)
    expect(open(path).find(first)).toEqual({ since: start, used: 41 })
    open(path).write(first, { since: start, used: 42 })
    expect(readFileSync(path, 'latin1')).toMatch(/^a{12} \S{24} 0{18}42 [\w-]{4}\n$/)
  })
})

it('a window of a quota begins anew with the first request after thirty days', () => {
  const usage = { since: start, used: 1 }
  expect(usageAt(undefined, start)).toEqual({ since: start, used: 0 })
  expect(usageAt(usage, start + 30 * day - 1)).toEqual(usage)
  expect(usageAt(usage, start + 30 * day)).toEqual({ since: start + 30 * day, used: 0 })
})
