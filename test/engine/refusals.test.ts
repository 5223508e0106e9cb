import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { openDuckdbRowWriter } from '../../src/engine/duckdb/duckdb-row-writer.ts'
import { sentenceOf } from '../../src/errors.ts'
import { refuseUnwritable } from '../../src/lake/unwritable.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function writeTo(path: string): Promise<unknown> {
  const spillFolder = join(await temporaryFolder(), 'spill')
  const writer = await openDuckdbRowWriter({ spillFolder, memoryMb: 256, threads: 1 })
  onTestFinished(() => writer.close())
  const stage = await writer.openStage(iotRewardShares, [])
  return await stage.write(path, new Map(), null).catch((error: unknown) => error)
}

describe('what the operating system refuses the engine', () => {
  it('has the code that Node gives it, and the words', async () => {
    const full = await writeTo('/dev/full')
    expect(full).toMatchObject({ code: 'ENOSPC' })
    expect(sentenceOf(full)).toBe('no space is left')
    expect(() => refuseUnwritable(full, 'lake')).toThrow('The lake lake cannot be written: no space is left.')
    expect(await writeTo('/sys/file.parquet')).toMatchObject({ code: 'EACCES' })
  })

  it('is told by its code alone; other errors stay as they are', async () => {
    const words = new Error('IO Error: No space left on device')
    expect(() => refuseUnwritable(words, 'lake')).toThrow(words)
    const unknown = await writeTo(join(await temporaryFolder(), 'missing', 'file.parquet'))
    expect(unknown).not.toHaveProperty('code')
    expect(() => refuseUnwritable(unknown, 'lake')).toThrow(unknown as Error)
  })
})
