import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
import { streamContent } from '../../../src/write/wire/stream-content.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const opened = vi.hoisted(() => ({ streams: 0 }))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const createReadStream: typeof fs.createReadStream = (...given) => {
    opened.streams += 1
    return fs.createReadStream(...given)
  }
  return { ...fs, createReadStream }
})

it('a gzip file that unpacks to more than 200 times its size is left before its end', async () => {
  const path = join(await temporaryFolder(), 'zeros.gz')
  const member = gzipSync(Buffer.alloc(2 ** 26))
  writeFileSync(path, Buffer.concat(Array.from({ length: 8 }, () => member)))
  let bytes = 0
  const reading = streamContent(path, true, (chunk) => {
    bytes += chunk.length
  })
  await expect(reading).rejects.toThrow(/^\d+ bytes unpack to more than 200 times as many; /)
  expect(bytes).toBeLessThanOrEqual(2 ** 28)
})

it('a gzip file of many members is looked through for the broken one no further than 256', async () => {
  const path = join(await temporaryFolder(), 'members.gz')
  const member = gzipSync('')
  writeFileSync(path, Buffer.concat([...Array.from({ length: 1000 }, () => member), Buffer.from('no gzip')]))
  opened.streams = 0
  await expect(streamContent(path, true, () => {})).rejects.toThrow(
    'the gzip stream breaks after 0 bytes of content',
  )
  expect(opened.streams).toBeLessThan(600)
})
