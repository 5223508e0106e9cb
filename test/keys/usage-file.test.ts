import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { UsageFile } from '../../src/keys/usage-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const [first, second] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb']
const day = 86_400_000
const start = Date.parse('2026-11-21T10:00:00Z')

function open(path: string, onError: (error: unknown) => void = (error) => expect.fail(String(error))) {
  const usage = new UsageFile(path, onError)
  onTestFinished(() => usage.close())
  return usage
}

const freshFile = async () => join(await temporaryFolder(), 'keys.usage')

describe('what keys have used', () => {
  it('is a line for each key, which anyone can read', async () => {
    const path = await freshFile()
    const usage = open(path)
    for (let count = 0; count < 12; count += 1) usage.count(first, start)
    usage.count(second, start + 5000)
    const lines = readFileSync(path, 'utf8').split('\n')
    expect(lines.map((line) => line.slice(0, 58))).toEqual([
      'aaaaaaaaaaaa 2026-11-21T10:00:00.000Z 00000000000000000012',
      'bbbbbbbbbbbb 2026-11-21T10:00:05.000Z 00000000000000000001',
      '',
    ])
    expect(lines.slice(0, 2).map((line) => line.length)).toEqual([63, 63])
  })

  it('is known to whoever opens the file next', async () => {
    const path = await freshFile()
    const before = open(path)
    before.count(first, start)
    before.count(first, start)
    expect(open(path).of(first, start)).toEqual({ since: start, used: 2 })
  })

  it('is counted together by two servers of one file', async () => {
    const path = await freshFile()
    const [one, other] = [open(path), open(path)]
    for (let round = 0; round < 10; round += 1) {
      one.count(first, start)
      other.count(first, start)
      other.count(second, start)
    }
    for (const usage of [one, other, open(path)]) {
      expect(usage.of(first, start).used).toBe(20)
      expect(usage.of(second, start).used).toBe(10)
    }
  })

  it('begins anew with the first request after thirty days', async () => {
    const usage = open(await freshFile())
    usage.count(first, start)
    expect(usage.of(first, start + 30 * day - 1)).toEqual({ since: start, used: 1 })
    expect(usage.of(first, start + 30 * day)).toEqual({ since: start + 30 * day, used: 0 })
    usage.count(first, start + 40 * day)
    expect(usage.of(first, start + 40 * day)).toEqual({ since: start + 40 * day, used: 1 })
  })

  it('is nothing before anything was counted, and makes no file', async () => {
    const path = await freshFile()
    expect(open(path).of(first, start)).toEqual({ since: start, used: 0 })
    expect(() => readFileSync(path)).toThrow()
  })

  it('passes over what is no line and says so once, and goes on in whole lines', async () => {
    const path = await freshFile()
    const told: string[] = []
    const tell = (error: unknown) => told.push((error as Error).message)
    writeFileSync(path, 'someone wrote here')
    open(path, tell).count(first, start)
    expect(open(path, tell).of(first, start).used).toBe(1)
    appendFileSync(path, 'and again')
    const usage = open(path, tell)
    usage.count(second, start)
    expect([usage.of(first, start).used, usage.of(second, start).used]).toEqual([1, 1])
    const line = (number: number) =>
      `Line ${number} of ${path} is not as it was written; what its key has used is counted anew.`
    expect(told).toEqual([line(1), line(1), line(1), line(3)])
  })

  it('is counted anew and told where any bit of its line is another, and of other keys as before', async () => {
    const path = await freshFile()
    const before = open(path)
    for (let count = 0; count < 7; count += 1) before.count(first, start)
    before.count(second, start)
    const bytes = readFileSync(path)
    const file = openSync(path, 'r+')
    for (let bit = 0; bit < 64 * 8; bit += 1) {
      const place = bit >> 3
      writeSync(file, Buffer.of((bytes[place] ?? 0) ^ (1 << (bit & 7))), 0, 1, place)
      let told = 0
      const usage = new UsageFile(path, () => {
        told += 1
      })
      expect([bit, usage.of(first, start).used, usage.of(second, start).used, told]).toEqual([bit, 0, 1, 1])
      usage.close()
      writeSync(file, bytes, place, 1, place)
    }
    closeSync(file)
  })

  it('goes on from a line of a build that wrote no checksums', async () => {
    const path = await freshFile()
    writeFileSync(path, `${first} 2026-11-21T10:00:00.000Z 00000000000000000041     \n`)
    open(path).count(first, start)
    expect(open(path).of(first, start)).toEqual({ since: start, used: 42 })
    expect(readFileSync(path, 'latin1')).toMatch(/^a{12} \S{24} 0{18}42 [\w-]{4}\n$/)
  })

  it('is kept while it cannot be written, and written once it can', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'missing', 'keys.usage')
    const errors: unknown[] = []
    const usage = open(path, (error) => errors.push(error))
    usage.count(first, start)
    usage.count(first, start)
    expect(errors).toHaveLength(2)
    expect(usage.of(first, start).used).toBe(2)
    mkdirSync(join(folder, 'missing'))
    usage.count(first, start)
    expect(open(path).of(first, start).used).toBe(3)
    rmSync(path)
  })
})
