import { appendFileSync } from 'node:fs'
import { checksumOf } from '../../src/keys/line-checksum.ts'
import { type KeyUsage, usageFileOf } from '../../src/keys/usage-file.ts'

/** Adds the line of a key to the usage file of a key file, as version 0.2.0 wrote it. */
export function writeOlderUsage(keyFile: string, id: string, { since, used }: KeyUsage): void {
  const counted = `${id} ${new Date(since).toISOString()} ${String(used).padStart(20, '0')}`
  appendFileSync(usageFileOf(keyFile), `${counted} ${checksumOf(counted)}\n`, { mode: 0o600 })
}
