import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    readonly sharedFolder: string
  }
}

/** Makes the folder of what all test files of a run have in common, and removes it when the run is over. */
export default function makeSharedFolder({ config, provide }: TestProject): () => void {
  const folder = mkdtempSync(join(config.env?.TMPDIR ?? tmpdir(), 'ledgerlake-tests-'))
  provide('sharedFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
