import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, openSync, rmSync, symlinkSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openOffloadedStore } from '../../../src/answers/offload/offloaded-store.ts'
import { openParts, type PartsFile } from '../../../src/index/blocks/container.ts'
import { readKeys } from '../../../src/keys/key-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const itself = (file: PartsFile) => file

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

/** What somebody else's lake may have in the place of a file of the state folder. */
const placed: readonly (readonly [string, (path: string) => void])[] = [
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a link to a device that never ends', (path) => symlinkSync('/dev/zero', path)],
  ['a link to itself', (path) => symlinkSync(path, path)],
  ['a folder', (path) => mkdirSync(path)],
  ['an empty file', (path) => writeFileSync(path, '')],
  [
    'a terabyte of nothing',
    (path) => {
      writeFileSync(path, '')
      truncateSync(path, 2 ** 40)
    },
  ],
]

describe('at the path of an index nothing blocks or stays open that is', () => {
  it.each(placed)('%s', async (_, place) => {
    for (const name of ['parts', 'offloaded-bytes.json']) place(join(folder, name))
    expect(() => openParts(join(folder, 'parts'), 'LLKEYS01', itself)).toThrow()
    const store = openOffloadedStore(folder)
    await store.ready()
    expect(store.groupsOf('any')).toBeUndefined()
  })
})

describe('at the path of the key file an error is returned at once for', () => {
  it.each(placed.filter(([name]) => name !== 'an empty file'))('%s', async (_, place) => {
    const path = join(folder, 'keys.ndjson')
    place(path)
    await expect(readKeys(path)).rejects.toMatchObject({
      code: 'malformed_request',
      message: expect.stringContaining(`The keys in ${path} cannot be read: `),
    })
  })
})

describe('a file with forged sizes and a valid checksum allocates no memory', () => {
  const huge = 3_000_000_000

  /** A file of that length that takes no room, with these bytes at its begin and end. */
  function sparse(name: string, length: number, begin: Buffer, end: Buffer): string {
    const path = join(folder, name)
    rmSync(path, { force: true })
    writeFileSync(path, begin)
    truncateSync(path, length)
    writeSync(openSync(path, 'r+'), end, 0, end.length, length - end.length)
    return path
  }
  const number = (value: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(value))
    return bytes
  }
  const sha256 = (...parts: readonly Buffer[]) => {
    const sum = createHash('sha256')
    for (const part of parts) sum.update(part)
    return sum.digest()
  }

  it('an index with parts and contents of three billion bytes', () => {
    const magic = Buffer.from('LLKEYS01')
    const before = process.memoryUsage().rss
    const contents = Buffer.from('{}')
    const end = (length: number) => Buffer.concat([number(length), sha256(contents, number(length))])
    expect(() => openParts(sparse('parts', huge + 100, magic, end(huge)), 'LLKEYS01', itself)).toThrow(
      /parts is damaged/,
    )
    const opened = openParts(
      sparse('parts', huge + 100, magic, Buffer.concat([contents, end(2)])),
      'LLKEYS01',
      itself,
    )
    expect(opened.contents).toBe('{}')
    const parts = [
      { start: 8, length: huge },
      { start: 8, length: -1 },
      { start: 2 ** 53, length: 8 },
      { start: Number.NaN, length: 8 },
    ]
    for (const part of parts) expect(() => opened.read({ ...part, checksum: 0 })).toThrow(/parts is damaged/)
    opened.close()
    expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 28)
  })
})
