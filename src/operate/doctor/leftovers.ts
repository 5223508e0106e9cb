import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { rejects } from '../../catalog/lake/rejects.ts'
import { resources } from '../../catalog/resources.ts'
import { stagingFolder, tableFolder } from '../../lake/disk/layout.ts'
import { readClock } from '../../lake/disk/this-machine.ts'
import { readTableLog } from '../../lake/log/delta-log.ts'
import { FORMAT, formatOf, RETENTION_HOURS } from '../../lake/log/table-format.ts'
import { listAbandoned } from '../../lake/runs/run-folder.ts'
import { bytesBelow } from '../../lake/snapshot/disk-use.ts'
import { countOpen, openRejectsOf } from '../../lake/snapshot/open-rejects.ts'
import { vacuum } from '../../lake/vacuum/vacuum.ts'
import { type DoctorCheck, type DoctorFinding, remark } from './finding.ts'

/** Finds leftovers of dead runs, and files that a vacuum would remove. */
export const checkLeftovers: DoctorCheck = async ({ lake, machine: { now } }) => {
  const findings: DoctorFinding[] = []
  const staging = stagingFolder(lake)
  const dead = await listAbandoned(staging)
  const takesRoom = 'It takes room; nothing reads it.'
  if (dead.length > 0) {
    let bytes = 0
    for (const name of dead) bytes += await bytesBelow(join(staging, name))
    const what = `${dead.length} ${dead.length === 1 ? 'run that is' : 'runs that are'} over left ${bytes} bytes in ${staging}.`
    findings.push(remark('leftovers', what, takesRoom, 'ledgerlake vacuum; the next ingest removes them too'))
  }
  for (const name of (await readdir(lake)).filter((entry) => /^_restoring$|^_replaced-\d+$/.test(entry))) {
    const path = join(lake, name)
    const [content, run] =
      name === '_restoring'
        ? ['a restore that is not complete', 'ledgerlake restore again']
        : ['tables that a restore replaced', `rm -r ${path}`]
    const what = `${path} has ${await bytesBelow(path)} bytes of ${content}.`
    findings.push(remark('leftovers', what, takesRoom, run))
  }
  const here = readClock()
  const clock = { ...here, now, sinceBoot: here.sinceBoot + now - here.now }
  const old = await vacuum({ lake, keepHours: RETENTION_HOURS, isDryRun: true, trustsClock: true, clock })
  const bytes = old.reduce((sum, table) => sum + table.bytes, 0)
  const files = old.reduce((sum, { paths }) => sum + paths.length, 0)
  const what = `${files} data files of ${bytes} bytes are used by no snapshot of the last ${RETENTION_HOURS} hours.`
  if (files > 0) findings.push(remark('old files', what, 'They take room.', 'ledgerlake vacuum'))
  return findings
}

export const checkFormats: DoctorCheck = async ({ lake }) => {
  const older: string[] = []
  for (const resource of resources) {
    const log = await readTableLog(tableFolder(lake, resource))
    if (log !== undefined && formatOf(log.metaData) < FORMAT) older.push(resource.name)
  }
  if (older.length === 0) return []
  const what = `${older.join(', ')} ${older.length === 1 ? 'has' : 'have'} an older data format than ${FORMAT}.`
  const why = 'The next commit raises it; a version that does not know it can then no longer read it.'
  return [remark('versions', what, why, 'nothing; a backup before the next ingest keeps the way back')]
}

export const checkRejects: DoctorCheck = async ({ at }) => {
  const open = at.table(rejects).version < 0 ? 0 : countOpen(openRejectsOf(at))
  if (open === 0) return []
  const run = 'ledgerlake rejects; ledgerlake ingest --retry-rejects after an upgrade'
  const what = `${open} rejected messages or records are in no table.`
  return [remark('rejects', what, 'Lists and totals lack them.', run)]
}
