import { readdirSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeFrameFiles } from '../../src/sample/frame-file.ts'
import { readFrames } from '../../src/wire/frames.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'frame-file-'))
})
afterAll(() => rm(root, { recursive: true }))

const nameOf = (part: number) => `part.${part}.gz`
const messagesOf = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => new Uint8Array(length).fill(at))

async function lengthsIn(path: string): Promise<readonly number[]> {
  const lengths: number[] = []
  await readFrames(path, (_, start, end) => lengths.push(end - start))
  return lengths
}

test('a new file begins before the message bytes pass the limit', async () => {
  const folder = join(root, 'limit')
  const files = await writeFrameFiles(folder, nameOf, messagesOf(25, 10), 100)
  expect(files.map(({ name, frames }) => [name, frames])).toEqual([
    ['part.0.gz', 10],
    ['part.1.gz', 10],
    ['part.2.gz', 5],
  ])
  for (const { name, frames, bytes } of files) {
    expect(await lengthsIn(join(folder, name))).toEqual(Array(frames).fill(10))
    expect((await stat(join(folder, name))).size).toBe(bytes)
  }
})

test('a message beyond the limit has a file of its own', async () => {
  const folder = join(root, 'large')
  const files = await writeFrameFiles(folder, nameOf, [...messagesOf(2, 10), ...messagesOf(2, 150)], 100)
  expect(files.map(({ frames }) => frames)).toEqual([2, 1, 1])
})

test('messages larger and smaller than a chunk come back in their order', async () => {
  const lengths = [1, 300_000, 0, 262_140, 262_144, 5, 100_000, 200_000]
  const folder = join(root, 'chunks')
  await writeFrameFiles(
    folder,
    nameOf,
    lengths.map((length) => new Uint8Array(length)),
  )
  expect(await lengthsIn(join(folder, 'part.0.gz'))).toEqual(lengths)
})

test('no messages give one file without frames', async () => {
  const folder = join(root, 'none')
  expect(await writeFrameFiles(folder, nameOf, [])).toMatchObject([{ name: 'part.0.gz', frames: 0 }])
  expect(await lengthsIn(join(folder, 'part.0.gz'))).toEqual([])
})

test('a file that fails half-way leaves nothing behind', async () => {
  const folder = join(root, 'broken')
  function* breakingMessages() {
    yield* messagesOf(10, 100_000)
    throw new Error('broke off')
  }
  await expect(writeFrameFiles(folder, nameOf, breakingMessages())).rejects.toThrow('broke off')
  expect(await readdir(folder)).toEqual([])
})

test('a file has another name while it is being written', async () => {
  const folder = join(root, 'half')
  const seen: string[][] = []
  function* watchedMessages() {
    for (const message of messagesOf(20, 100_000)) {
      yield message
      seen.push(readdirSync(folder))
    }
  }
  await writeFrameFiles(folder, nameOf, watchedMessages())
  expect(seen).toHaveLength(20)
  // It has another name before.
  expect(seen.flat()).not.toEqual([])
  expect(seen.flat()).not.toContain('part.0.gz')
  expect(await readdir(folder)).toEqual(['part.0.gz'])
})
