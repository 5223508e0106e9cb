import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeFrameFiles } from '../../../src/write/sample/frame-file.ts'
import { readFrames } from '../../../src/write/wire/frames.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'frame-file-'))
})
afterAll(() => rm(root, { recursive: true }))

const pathsIn = (folder: string) => (part: number) => join(folder, `part.${part}.gz`)
const messagesOf = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => new Uint8Array(length).fill(at))

async function lengthsIn(path: string): Promise<readonly number[]> {
  const lengths: number[] = []
  await readFrames(path, (_, start, end) => lengths.push(end - start))
  return lengths
}

test('a full file is followed by a new one', async () => {
  const folder = join(root, 'limit')
  const files = await writeFrameFiles(pathsIn(folder), messagesOf(25, 10), 10)
  expect(files.map(({ path, items }) => [path, items])).toEqual([
    [join(folder, 'part.0.gz'), 10],
    [join(folder, 'part.1.gz'), 10],
    [join(folder, 'part.2.gz'), 5],
  ])
  for (const { path, items, bytes } of files) {
    expect(await lengthsIn(path)).toEqual(Array(items).fill(10))
    expect((await stat(path)).size).toBe(bytes)
  }
  expect(await writeFrameFiles(pathsIn(join(root, 'exact')), messagesOf(20, 10), 10)).toHaveLength(2)
})

test('messages larger and smaller than a chunk are read back in their order', async () => {
  const lengths = [1, 300_000, 0, 262_140, 262_144, 5, 100_000, 200_000]
  const folder = join(root, 'chunks')
  await writeFrameFiles(
    pathsIn(folder),
    lengths.map((length) => new Uint8Array(length)),
  )
  expect(await lengthsIn(join(folder, 'part.0.gz'))).toEqual(lengths)
})

test('a list without messages becomes one file without frames', async () => {
  const folder = join(root, 'none')
  expect(await writeFrameFiles(pathsIn(folder), [])).toMatchObject([{ items: 0 }])
  expect(await lengthsIn(join(folder, 'part.0.gz'))).toEqual([])
})

test('a write that fails half-way leaves no file', async () => {
  const folder = join(root, 'broken')
  function* breakingMessages() {
    yield* messagesOf(10, 100_000)
    throw new Error('broke off')
  }
  await expect(writeFrameFiles(pathsIn(folder), breakingMessages())).rejects.toThrow('broke off')
  expect(await readdir(folder)).toEqual([])
})

test('a file with other bytes is not replaced, and one with the same bytes stays', async () => {
  const folder = join(root, 'taken')
  const path = join(folder, 'part.0.gz')
  const write = () => writeFrameFiles(pathsIn(folder), messagesOf(3, 10))
  await write()
  const { ino } = await stat(path)
  await write()
  expect((await stat(path)).ino).toBe(ino)
  await writeFile(path, 'of somebody')
  await expect(write()).rejects.toThrow(
    `${path} is there with other bytes; remove it, or name another folder.`,
  )
  expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['of somebody', ['part.0.gz']])
})

test('a link is not replaced', async () => {
  const folder = join(root, 'linked')
  const [path, target] = [join(folder, 'part.0.gz'), join(root, 'target')]
  await mkdir(folder)
  await writeFile(target, 'of somebody')
  await symlink(target, path)
  await expect(writeFrameFiles(pathsIn(folder), messagesOf(3, 10))).rejects.toThrow(
    'is there with other bytes',
  )
  expect(await readFile(path, 'utf8')).toBe('of somebody')
})

test('a file has a temporary name while it is written', async () => {
  const folder = join(root, 'half')
  const seen: string[][] = []
  function* watchedMessages() {
    for (const message of messagesOf(20, 100_000)) {
      yield message
      seen.push(readdirSync(folder))
    }
  }
  await writeFrameFiles(pathsIn(folder), watchedMessages())
  expect(seen).toHaveLength(20)
  // It has another name before.
  expect(seen.flat()).not.toEqual([])
  expect(seen.flat()).not.toContain('part.0.gz')
  expect(await readdir(folder)).toEqual(['part.0.gz'])
})
