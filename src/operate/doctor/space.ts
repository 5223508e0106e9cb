import { join } from 'node:path'
import { bytesBelow } from '../../lake/snapshot/disk-use.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { type DoctorCheck, type DoctorFinding, type Patient, problem } from './finding.ts'

/** Space that any run needs for log entries and checkpoints. */
const LEAST_BYTES = 100_000_000
const LEAST_FILES = 10_000

export const checkSpace: DoctorCheck = async (patient) => {
  const { lake, state, at } = patient
  const written = Math.max(LEAST_BYTES, largestFiles(at.tables), largestPartition(at.tables))
  const derived = Math.max(LEAST_BYTES, await bytesBelow(state))
  const stays = 'Either would end with "no space is left"; what was committed stays.'
  const slow = 'They would not be built, and filters and hotspots stay slow.'
  return [
    ...(await lacking(patient, lake, written, 'the next ingest or compact', stays)),
    ...(await lacking(patient, state, derived, 'building the indexes once more', slow)),
  ]
}

async function lacking(
  { machine }: Patient,
  folder: string,
  needed: number,
  what: string,
  why: string,
): Promise<readonly DoctorFinding[]> {
  const room = (await machine.room(folder)) ?? (await machine.room(join(folder, '..')))
  const run = 'ledgerlake vacuum --dry-run, which lists old files; or make room'
  const findings: DoctorFinding[] = []
  if (room !== undefined && room.bytes < needed)
    findings.push(
      problem('space', `${folder} has ${room.bytes} bytes free; ${what} may need ${needed}.`, why, run),
    )
  if (room?.files !== undefined && room.files < LEAST_FILES)
    findings.push(
      problem('space', `The file system of ${folder} has room for ${room.files} more files.`, why, run),
    )
  return findings
}

/** Sums the largest file of each table: an ingest stages about as much as it commits. */
function largestFiles(tables: readonly TableSnapshot[]): number {
  return tables.reduce((sum, { files }) => sum + Math.max(0, ...files.map(({ bytes }) => bytes)), 0)
}

/** Returns the bytes of the largest partition. Compaction merges one partition at a time and keeps the old files. */
function largestPartition(tables: readonly TableSnapshot[]): number {
  const sums = new Map<string, number>()
  for (const { resource, files } of tables)
    for (const { partition, bytes } of files) {
      const name = `${resource.name} ${partition}`
      sums.set(name, (sums.get(name) ?? 0) + bytes)
    }
  return Math.max(0, ...sums.values())
}
