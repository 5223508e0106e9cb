import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder among the system's temporary ones. It goes when the process ends, also by a signal. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlake-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(1))
  }
  return folder
}
