import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { PlainFiles } from '../../src/lake/disk/plain-files.ts'
import { replaceBuiltin } from '../support/replace-builtin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let lake = ''
let file = ''
let beforeRealPath = () => {}

replaceBuiltin(promises, (real) => ({
  realpath: (async (path: string) => {
    beforeRealPath()
    return await real.realpath(path)
  }) as typeof real.realpath,
}))

beforeEach(async () => {
  beforeRealPath = () => {}
  lake = await temporaryFolder()
  mkdirSync(join(lake, 'table'))
  file = join(lake, 'table', 'part-a.parquet')
  writeFileSync(file, 'rows')
})

const told = (path: string) =>
  Promise.resolve(new PlainFiles(lake).check([path])).then(
    () => 'accepted',
    (error) => String(error.message).replaceAll(lake, 'LAKE'),
  )
const refusal = (fault: string) =>
  `LAKE/table/part-a.parquet ${fault}; data files are regular files of the lake. Restore it from a copy.`

it('a regular file of the lake passes, and so do missing files and files outside of the lake', async () => {
  for (const path of [file, join(lake, 'table', 'part-none.parquet'), '/dev/null', join(file, 'below')])
    expect(await told(path)).toBe('accepted')
})

it('a link, a folder and a file behind a link are refused', async () => {
  renameSync(file, `${file}-moved`)
  symlinkSync(`${file}-moved`, file)
  expect(await told(file)).toBe(refusal('is a symbolic link'))
  renameSync(file, join(lake, 'link'))
  mkdirSync(file)
  expect(await told(file)).toBe(refusal('is not a regular file'))
  renameSync(file, join(lake, 'folder'))
  renameSync(`${file}-moved`, file)
  renameSync(join(lake, 'table'), join(lake, 'elsewhere'))
  symlinkSync(join(lake, 'elsewhere'), join(lake, 'table'))
  expect(await told(file)).toBe(refusal('lies behind a symbolic link'))
})

it('a file whose folder disappears during the check passes, and is checked again', async () => {
  const files = new PlainFiles(lake)
  beforeRealPath = () => rmSync(join(lake, 'table'), { recursive: true, force: true })
  await files.check([file])
  beforeRealPath = () => {}
  mkdirSync(join(lake, 'moved'))
  writeFileSync(join(lake, 'moved', 'part-a.parquet'), 'rows')
  symlinkSync(join(lake, 'moved'), join(lake, 'table'))
  await expect(files.check([file])).rejects.toThrow('lies behind a symbolic link')
})

it('each file is checked once, and a path that is too long rejects with ENAMETOOLONG', async () => {
  const files = new PlainFiles(lake)
  await files.check([file])
  renameSync(file, join(lake, 'moved'))
  symlinkSync(join(lake, 'moved'), file)
  await files.check([file])
  await expect(files.check([join(lake, 'a'.repeat(300))])).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
})

it('files that are no longer live are forgotten, and so are folders without live files', async () => {
  const other = join(lake, 'other', 'part-b.parquet')
  mkdirSync(join(lake, 'other'))
  writeFileSync(other, 'rows')
  const second = join(lake, 'table', 'part-c.parquet')
  writeFileSync(second, 'rows')
  const files = new PlainFiles(lake)
  await files.check([file, second, other])
  expect(files.size).toBe(3)
  files.retain(new Set([file]))
  expect(files.size).toBe(1)
  expect(files.check([file])).toBeUndefined()
  renameSync(join(lake, 'other'), join(lake, 'moved'))
  symlinkSync(join(lake, 'moved'), join(lake, 'other'))
  await expect(files.check([other])).rejects.toThrow('lies behind a symbolic link')
})
