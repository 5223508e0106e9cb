import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readOrMakeSecret } from '../../src/keys/share-secret.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('several servers that create the secret at once have the same secret', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'keys.ndjson')
  const made = await Promise.all(Array.from({ length: 8 }, () => readOrMakeSecret(file)))
  expect(made[0]?.length).toBe(32)
  expect(new Set(made.map((secret) => secret?.toString('hex'))).size).toBe(1)
  expect(readdirSync(folder)).toEqual(['keys.share-secret'])
})

it('a secret is created although a killed process with the same id left a temporary file', async () => {
  const file = join(await temporaryFolder(), 'keys.ndjson')
  writeFileSync(`${file.replace('.ndjson', '.share-secret')}.${process.pid}.tmp`, 'half')
  expect((await readOrMakeSecret(file))?.length).toBe(32)
})
