import { readdir } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { LineFiles } from '../../../src/write/sample/ledger/line-files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const options = { nameOf: (part: number) => `x${part}`, header: 'a', partLines: 10, onFile: () => {} }

it('files of lines can be abandoned at any moment of their end, and leave none unfinished', async () => {
  const left = new Set<string>()
  for (let turns = 0; turns < 12; turns += 1)
    for (let ticks = 0; ticks < 8; ticks += 1) {
      const folder = await temporaryFolder()
      const files = new LineFiles({ ...options, folder })
      files.write('1\n')
      const closed = turns < 2 ? undefined : files.close()
      for (let turn = 0; turn < turns; turn += 1) await setImmediate()
      for (let tick = 0; tick < ticks; tick += 1) await undefined
      await files.abandon()
      await closed
      left.add((await readdir(folder)).join())
    }
  expect([...left].sort()).toEqual(['', 'x0'])
})
