import fs, { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Contents } from '../../src/hotspot-index/contents.ts'
import { DamagedSegment, openSegment } from '../../src/hotspot-index/segment.ts'
import { DIGEST_BYTES, digestOf } from '../../src/hotspot-index/segment-layout.ts'
import { SegmentWriter } from '../../src/hotspot-index/segment-writer.ts'
import { replaceBuiltin } from '../support/replace-builtin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const asked = { bytes: 0 }

/** Counts the requested bytes, which is what is allocated. */
replaceBuiltin(fs, (real) => ({
  readSync: ((fd: number, buffer: Buffer, start: number, length: number, position: number) => {
    asked.bytes += length
    return real.readSync(fd, buffer, start, length, position)
  }) as typeof fs.readSync,
}))

const TRAILER_BYTES = 56
const MAGIC_BYTES = 8

const contents: Contents = {
  table: 'iot_reward_shares',
  year: 2025,
  columns: ['beacon_amount amount'],
  groups: [],
  sources: { 'iot_reward_share/iot_reward_share.1.gz': `${'ab'.repeat(32)} 5` },
}
const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const rowsOfKey = (key: string) => Buffer.from(`the rows of ${key}`)

let path: string
let bytes: Buffer
/** Offsets of the directory and of the parts after it. */
let directory: number
let trailer: number

beforeEach(async () => {
  path = join(await temporaryFolder(), 'a.segment')
  const writer = await SegmentWriter.create(path)
  const blocks = keys.map((key) => ({
    digest: digestOf(Buffer.from(key)).subarray(0, DIGEST_BYTES),
    rows: rowsOfKey(key),
  }))
  for (const block of blocks.sort((a, b) => Buffer.compare(a.digest, b.digest))) await writer.append(block)
  await writer.finish(contents)
  bytes = readFileSync(path)
  trailer = bytes.length - TRAILER_BYTES
  directory = MAGIC_BYTES + keys.length * (DIGEST_BYTES / 2 + rowsOfKey('a').length)
})

/** The outcome of reading the segment with one bit flipped. */
function outcomeOf(bit: number): 'refused' | 'right' | 'wrong' {
  const place = bit >> 3
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.of((bytes[place] ?? 0) ^ (1 << (bit & 7))), 0, 1, place)
  try {
    const segment = openSegment(path)
    try {
      const isRight =
        segment.keys === keys.length &&
        isDeepStrictEqual(segment.contents, contents) &&
        [...segment.blocks()].length === keys.length &&
        keys.every((key) => segment.rowsOf(key)?.equals(rowsOfKey(key)))
      return isRight ? 'right' : 'wrong'
    } finally {
      segment.close()
    }
  } catch (error) {
    if (error instanceof DamagedSegment || bit < MAGIC_BYTES * 8) return 'refused'
    throw error
  } finally {
    writeSync(file, bytes, place, 1, place)
    closeSync(file)
  }
}

/** Bits from one byte to before another whose flip is not refused. */
function takenBits(from: number, to: number): readonly string[] {
  const outcomes = Array.from({ length: (to - from) * 8 }, (_, index) => outcomeOf(from * 8 + index))
  expect(outcomes.length).toBeGreaterThan(0)
  return outcomes.flatMap((outcome, index) =>
    outcome === 'refused' ? [] : [`bit ${index} after ${from}: ${outcome}`],
  )
}

describe('a segment with one bit changed', () => {
  it('is valid without the change', () => {
    const segment = openSegment(path)
    expect([segment.keys, segment.contents]).toEqual([keys.length, contents])
    for (const key of keys) expect(segment.rowsOf(key)).toEqual(rowsOfKey(key))
    expect(segment.rowsOf('no key')).toBeUndefined()
    segment.close()
  })

  it.each([
    ['its trailer', () => [trailer, bytes.length]],
    ['its directory and contents', () => [directory, trailer]],
    ['its magic and blocks', () => [0, directory]],
  ] as const)('is refused: %s', (_, places) => {
    const [from = 0, to = 0] = places()
    expect(takenBits(from, to)).toEqual([])
  })

  it('is refused before anything else is read when a length in its trailer is wrong', () => {
    for (let bit = trailer * 8; bit < (trailer + 24) * 8; bit += 1) {
      asked.bytes = 0
      expect([bit, outcomeOf(bit), asked.bytes]).toEqual([bit, 'refused', MAGIC_BYTES + TRAILER_BYTES])
    }
  })
})
