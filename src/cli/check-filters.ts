import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'
import { type DoctorFinding, remark } from '../operate/doctor/finding.ts'
import { openRowWriter } from '../services/row-writer.ts'
import type { Settings } from '../services/settings/settings.ts'
import { counted } from './terminal-text.ts'

/** Finds tables with files whose Bloom filters DuckDB 1.5 misreads. Reads the footers of tables with binary columns. */
export async function checkFilters(settings: Settings, at: Snapshot): Promise<readonly DoctorFinding[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'ledgerlake-doctor-'))
  const reader = await openRowWriter(settings, scratch)
  try {
    const findings: DoctorFinding[] = []
    for (const { resource, files } of at.tables) {
      let misread = 0
      // Another check reports unreadable files.
      for (const { path } of files.filter((file) => existsSync(file.path)))
        if (await reader.hasBinaryFilters(resource, path).catch(() => false)) misread += 1
      if (misread > 0) findings.push(findingOf(resource.name, misread))
    }
    return findings
  } finally {
    await reader.close()
    await rm(scratch, { recursive: true, force: true })
  }
}

function findingOf(table: string, files: number): DoctorFinding {
  return remark(
    'Bloom filters',
    `${counted(files, 'data file')} of ${table} ${files === 1 ? 'has' : 'have'} Bloom filters for binary columns; newer builds write none.`,
    'DuckDB 1.5 misreads them: `column = value` finds no row where it reads the file itself. `ledgerlake sql` and the views answer rightly.',
    'ledgerlake compact, which writes closed months anew without them',
  )
}
