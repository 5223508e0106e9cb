import type { Snapshot } from '../../lake/snapshot/snapshot.ts'

/** Descriptions of the checks, by the name in a finding. */
export const checkTexts = {
  lake: 'the log of every table',
  'data files': 'that data files are there, have the size in the log, and may be read',
  keys: 'the key file, and who may read it',
  clock: 'the clock',
  space: 'free space',
  permissions: 'which folders may be written',
  'open files': 'the limit of open files',
  versions: 'data formats',
  leftovers: 'what runs that are over left',
  'old files': 'files that only old snapshots use',
  rejects: 'rejected messages and records',
  indexes: 'that indexes are complete',
  'Bloom filters': 'filters in the footers of data files',
  'missing data': 'days and manifests that are missing',
} as const

/** Only `verify` compares contents. */
export const NOT_CHECKED = { what: 'contents of data files and indexes', run: 'ledgerlake verify' } as const

/** One piece of advice. */
export interface DoctorFinding {
  /** A problem loses data, responses or the service, now or soon; a note is for information. */
  readonly level: 'problem' | 'note'
  readonly check: keyof typeof checkTexts
  readonly what: string
  readonly why: string
  /** The command to run, or other advice. */
  readonly run: string
}

const findingOf =
  (level: DoctorFinding['level']) =>
  (check: DoctorFinding['check'], what: string, why: string, run: string): DoctorFinding => ({
    ...{ level, check, what, why, run },
  })

export const problem = findingOf('problem')
export const remark = findingOf('note')

/** Measures of the machine. */
export interface Machine {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Limit of open files of this process; undefined if unknown. */
  readonly openFiles: number | undefined
  /** Free bytes and inodes of a file system; undefined if unknown. */
  room(path: string): Promise<{ readonly bytes: number; readonly files: number | undefined } | undefined>
}

/** Lake, folders and machine to examine. */
export interface Patient {
  readonly lake: string
  readonly state: string
  readonly keyFile: string
  readonly at: Snapshot
  readonly machine: Machine
}

export type DoctorCheck = (patient: Patient) => Promise<readonly DoctorFinding[]>
