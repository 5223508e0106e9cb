import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseUsage, readUsage, usageAt, usageFileOf } from '../../src/keys/usage-file.ts'
import { writeOlderUsage } from '../support/older-usage.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const [first, second] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb']
const day = 86_400_000
const start = Date.parse('2026-11-21T10:00:00Z')

const freshFile = async () => join(await temporaryFolder(), 'keys.ndjson')
const unexpected = (error: unknown) => expect.fail(String(error))

describe('the usage file of an older build', () => {
  it('has the usage of each key in its first line', async () => {
    const keyFile = await freshFile()
    writeOlderUsage(keyFile, first, { since: start, used: 12 })
    writeOlderUsage(keyFile, second, { since: start + 5000, used: 1 })
    writeOlderUsage(keyFile, first, { since: start, used: 3 })
    expect(Object.fromEntries(readUsage(keyFile, unexpected))).toEqual({
      [first]: { since: start, used: 12 },
      [second]: { since: start + 5000, used: 1 },
    })
  })

  it('has no usage if it is missing or unfinished', async () => {
    const keyFile = await freshFile()
    expect(readUsage(keyFile, unexpected).size).toBe(0)
    writeFileSync(usageFileOf(keyFile), 'someone wrote here')
    expect(readUsage(keyFile, unexpected).size).toBe(0)
  })

  it('with a flipped bit loses only the line of that bit, which is reported', async () => {
    const keyFile = await freshFile()
    writeOlderUsage(keyFile, first, { since: start, used: 7 })
    writeOlderUsage(keyFile, second, { since: start, used: 1 })
    const bytes = readFileSync(usageFileOf(keyFile))
    for (let bit = 0; bit < 64 * 8; bit += 1) {
      const altered = Buffer.from(bytes)
      const place = bit >> 3
      altered[place] = (bytes[place] ?? 0) ^ (1 << (bit & 7))
      const { used, damaged } = parseUsage(altered.toString('latin1'))
      expect([bit, used.get(first), used.get(second)?.used, damaged]).toEqual([bit, undefined, 1, [1]])
    }
    appendFileSync(usageFileOf(keyFile), 'x'.repeat(64))
    const told: string[] = []
    readUsage(keyFile, (error) => told.push((error as Error).message))
    expect(told).toEqual([
      `Line 3 of ${usageFileOf(keyFile)} is not as it was written; what its key has used is counted anew.`,
    ])
  })

  it('may have lines of a build that wrote no checksums', () => {
    const { used } = parseUsage(`${first} 2026-11-21T10:00:00.000Z 00000000000000000041     \n`)
    expect(used.get(first)).toEqual({ since: start, used: 41 })
  })
})

it('the window of a quota restarts with the first request after thirty days', () => {
  const usage = { since: start, used: 1 }
  expect(usageAt(undefined, start)).toEqual({ since: start, used: 0 })
  expect(usageAt(usage, start + 30 * day - 1)).toEqual(usage)
  expect(usageAt(usage, start + 30 * day)).toEqual({ since: start + 30 * day, used: 0 })
})
