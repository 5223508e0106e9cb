import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { digestOfInputs, isBuilt, writeStamp } from '../../scripts/build-stamp.mjs'
import { temporaryFolder } from '../support/temporary-folder.ts'

let root = ''

beforeEach(async () => {
  root = await temporaryFolder()
  for (const folder of ['src/a', 'dist', 'node_modules', 'data'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const path of ['package.json', 'src/a/one.ts', 'node_modules/.package-lock.json'])
    writeFileSync(join(root, path), path)
})

it('a build is current until a source file, its time or the installed packages change', () => {
  expect(isBuilt(root)).toBe(false)
  for (const change of [
    () => writeFileSync(join(root, 'src/a/one.ts'), 'longer than before'),
    () => utimesSync(join(root, 'src/a/one.ts'), 1, 1),
    () => writeFileSync(join(root, 'src/a/two.ts'), ''),
    () => writeFileSync(join(root, 'node_modules/.package-lock.json'), 'other packages'),
  ]) {
    writeStamp(root, digestOfInputs(root))
    writeFileSync(join(root, 'data/made'), 'by a server')
    expect(isBuilt(root)).toBe(true)
    change()
    expect(isBuilt(root)).toBe(false)
  }
})
