import { mkdirSync, writeFileSync } from 'node:fs'
import promises, { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fail } from '../../src/base/errors.ts'
import { errorCodeOf, hasCode } from '../../src/lake/disk/disk.ts'
import { checkWritable, refuseUnwritable, refuseUnwritableFolder } from '../../src/lake/disk/unwritable.ts'
import { bytesBelow } from '../../src/lake/snapshot/disk-use.ts'
import { replaceBuiltin } from '../support/replace-builtin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The path of a file that goes after it was listed. */
let gone = ''
replaceBuiltin(promises, (real) => ({
  lstat: (async (path: string) => {
    if (path === gone) throw Object.assign(new Error('ENOENT: lstat'), { code: 'ENOENT' })
    return await real.lstat(path)
  }) as typeof real.lstat,
}))

it('errorCodeOf returns undefined for a thrown value without a code', () => {
  const coded = Object.assign(new Error('a fault'), { code: 'EIO' })
  expect([coded, new Error('a fault'), 'a text', undefined].map(errorCodeOf)).toEqual([
    'EIO',
    undefined,
    undefined,
    undefined,
  ])
  expect(hasCode(coded, ['ENOENT', 'EIO'])).toBe(true)
  expect(hasCode('EIO', ['EIO'])).toBe(false)
})

const errorOf = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('an error of the file system', () => {
  const refused = Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC', path: '/lake/a' })

  it('becomes a sentence about the lake or the folder', () => {
    expect(errorOf(() => refuseUnwritable(refused, '/lake'))).toMatchObject({
      code: 'lake_unwritable',
      message: expect.stringMatching(
        /^The lake \/lake cannot be written: .*: \/lake\/a\. What was committed stays/,
      ),
      cause: refused,
    })
    expect(errorOf(() => refuseUnwritableFolder(refused, '/a'))).toMatchObject({
      code: 'lake_unwritable',
      message: expect.stringMatching(/^\/a cannot be written: .*; use a folder that can be written\.$/),
    })
  })

  it('is unchanged if it has a sentence, or is no system error', () => {
    const told = errorOf(() => fail('lake_damaged', 'a sentence'))
    for (const error of [told, new TypeError('a fault')])
      for (const refuse of [refuseUnwritable, refuseUnwritableFolder])
        expect(errorOf(() => refuse(error, '/lake'))).toBe(error)
  })
})

describe('a folder can be written', () => {
  it('if it exists or can be created, and its first missing parent is created', async () => {
    const folder = await temporaryFolder()
    await checkWritable(folder)
    await checkWritable(join(folder, 'a', 'b', 'c'))
    expect(await readdir(folder, { recursive: true })).toEqual(['a'])
  })

  it('while other processes create it', async () => {
    const folder = join(await temporaryFolder(), 'a', 'b')
    await Promise.all(Array.from({ length: 8 }, () => checkWritable(folder)))
    await checkWritable(folder)
    expect(await readdir(join(folder, '..'))).toEqual(['b'])
  })

  it('not if the system refuses to create it or to inspect its path', async () => {
    await expect(checkWritable('/proc/none/a')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(checkWritable(join('/tmp', 'a'.repeat(300)))).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
  })
})

it('bytesBelow sums the sizes of all files at any depth, and is 0 for a missing folder', async () => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'a', 'b'), { recursive: true })
  for (const name of ['1', 'a/22', 'a/b/333']) writeFileSync(join(folder, name), 'x'.repeat(name.length))
  expect(await bytesBelow(folder)).toBe(1 + 4 + 7)
  expect(await bytesBelow(join(folder, 'none'))).toBe(0)
  gone = join(folder, 'a', '22')
  expect(await bytesBelow(folder)).toBe(1 + 7)
  await expect(bytesBelow(join(folder, 'a'.repeat(300)))).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
})
