import type { Snapshot } from '../lake/snapshot.ts'

/** Something that should be looked at. */
export interface Finding {
  /** A problem loses data, answers or the service, now or soon; a note is worth knowing. */
  readonly level: 'problem' | 'note'
  readonly check: string
  readonly what: string
  readonly why: string
  /** The command to run, or what else to do. */
  readonly run: string
}

/** What is known of the machine. */
export interface Machine {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Files that this process may have open; undefined where nobody says. */
  readonly openFiles: number | undefined
  /** Bytes and files that a file system has room for; undefined where nobody says. */
  room(path: string): Promise<{ readonly bytes: number; readonly files: number | undefined } | undefined>
}

/** What is examined. */
export interface Patient {
  readonly lake: string
  readonly state: string
  readonly keyFile: string
  readonly at: Snapshot
  readonly machine: Machine
}

export type Check = (patient: Patient) => Promise<readonly Finding[]>
