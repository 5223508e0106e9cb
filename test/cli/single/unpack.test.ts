import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Asset, unpack } from '../../../src/cli/single/unpack.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const content = Buffer.from('a library of the engine')
const sha256 = createHash('sha256').update(content).digest('hex')

/** How often the bytes were taken out of the executable. */
let taken: number
let folder: string
const asset: Asset = {
  name: 'lib.so',
  sha256,
  bytes() {
    taken += 1
    return content
  },
}
const path = () => join(folder, asset.name)
const unpackOnce = () => unpack(folder, [asset])

beforeEach(async () => {
  taken = 0
  folder = await temporaryFolder()
})

describe('unpack', () => {
  it('writes a file that only its user can read, and does not write it twice', () => {
    unpackOnce()
    const first = statSync(path())
    expect([readFileSync(path(), 'utf8'), first.mode & 0o777]).toEqual([String(content), 0o600])
    unpackOnce()
    expect([taken, statSync(path()).ino]).toEqual([1, first.ino])
  })

  it.each<[string, () => void]>([
    ['longer', () => appendFileSync(path(), 'x')],
    ['half', () => truncateSync(path(), 7)],
    ['gone', () => writeFileSync(path(), '')],
    [
      'changed in one byte, with its size and time as before',
      () => {
        utimesSync(path(), 1000, 1000)
        unpackOnce()
        writeFileSync(path(), 'A library of the engine')
        utimesSync(path(), 1000, 1000)
      },
    ],
    ['writable by others', () => chmodSync(path(), 0o666)],
  ])('replaces a file that is %s', (_, harm) => {
    unpackOnce()
    harm()
    unpackOnce()
    expect([taken, readFileSync(path(), 'utf8'), statSync(path()).mode & 0o777]).toEqual([
      2,
      String(content),
      0o600,
    ])
  })

  it('does not trust a record about another file', () => {
    unpackOnce()
    const note = readFileSync(`${path()}.verified`)
    writeFileSync(path(), 'A library of the engine')
    writeFileSync(`${path()}.verified`, note)
    unpackOnce()
    expect([taken, readFileSync(path(), 'utf8')]).toEqual([2, String(content)])
  })

  it('keeps a file if only its time has changed', () => {
    unpackOnce()
    utimesSync(path(), 0, 0)
    unpackOnce()
    expect(taken).toBe(1)
  })

  it('removes temporary files of killed processes, and none of running ones', () => {
    // No process has so high a number.
    const dead = join(folder, 'lib.so.4194305.00c0ffee.part')
    const running = join(folder, `lib.so.${process.pid}.00c0ffee.part`)
    for (const part of [dead, running]) writeFileSync(part, 'half')
    unpackOnce()
    expect([existsSync(dead), existsSync(running)]).toEqual([false, true])
  })

  it('fails when the executable itself is damaged, and leaves no part behind', () => {
    const damaged = { ...asset, bytes: () => Buffer.from('something else') }
    expect(() => unpack(folder, [damaged])).toThrow(`${path()} was written and reads differently`)
    expect(readdirSync(folder)).toEqual(['lib.so'])
  })
})
