import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { streamContent } from '../../../src/write/wire/stream-content.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

it('decompression stops once a gzip file has unpacked to more than 200 times its size', async () => {
  const path = join(await temporaryFolder(), 'zeros.gz')
  const member = gzipSync(Buffer.alloc(2 ** 26))
  writeFileSync(path, Buffer.concat(Array.from({ length: 5 }, () => member)))
  let bytes = 0
  const reading = streamContent(path, true, (chunk) => {
    bytes += chunk.length
  })
  await expect(reading).rejects.toThrow(/^\d+ bytes unpack to more than 200 times as many, the limit$/)
  expect(bytes).toBeLessThanOrEqual(2 ** 28)
})
