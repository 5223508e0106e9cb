/** Subject of a finding; docs/guide/verifying.md explains each. */
type FindingKind =
  | 'log entry'
  | 'checkpoint'
  | 'table'
  | 'data file'
  | 'rows'
  | 'source'
  | 'manifest'
  | 'missing days'
  | 'derived'
  | 'keys'
  | 'kept snapshot'
  | 'leftover'
  | 'folder'

/** A fault or a note, as plain data. */
export interface Finding {
  /** A fault loses data, responses or a safeguard; a note loses nothing. */
  readonly level: 'fault' | 'note'
  readonly kind: FindingKind
  /** Path of the file or folder, relative to the lake if it is in the lake. */
  readonly file: string
  readonly what: string
  /** How to repair it: a command, or words. */
  readonly repair: string
  /** Sources whose rows are in a damaged file, or that only a manifest or only the lake has. */
  readonly sources?: readonly string[]
}

/** Texts of repairs in findings; commands are those of this program. */
export const repairs = {
  fromCopy: 'ledgerlake verify --repair --from DIR, where DIR is a backup or another copy of the lake',
  anew: 'ledgerlake verify --repair',
  vacuum: 'ledgerlake vacuum, once it is old enough',
  none: 'nothing',
} as const

const findingOf =
  (level: Finding['level']) =>
  (kind: FindingKind, file: string, what: string, repair: string, sources?: readonly string[]): Finding => ({
    level,
    kind,
    file,
    what,
    repair,
    ...(sources && { sources }),
  })

export const fault = findingOf('fault')
export const note = findingOf('note')

export const isFault = ({ level }: Finding): boolean => level === 'fault'

/** Joins the first names for a sentence, and counts the others. */
export function listed(names: readonly string[], most = 3): string {
  const more = names.length - most
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
