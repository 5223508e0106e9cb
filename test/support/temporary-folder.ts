import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUp } from './clean-up.ts'

/** A new folder that goes when the test is over, or its file when it is made in `beforeAll`. */
export async function temporaryFolder(): Promise<string> {
  const { folder, remove } = await makeFolder()
  cleanUp(remove)
  return folder
}

export async function makeFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'ledgerlake-test-'))
  // At once takes half the time of one call after the other.
  return { folder, remove: async () => rmSync(folder, { recursive: true, force: true }) }
}
