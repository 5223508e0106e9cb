import { words } from '../../support/words.ts'
import { ofPaths } from './calls.ts'

/** What can go wrong at one operation of the file system, and at which operations each of it can. */

/** What an operation does to what lies on the disk. */
export type Effect = 'looks' | 'opens' | 'reads' | 'writes' | 'changes' | 'syncs' | 'closes' | 'copies'

/** One operation of a program; `copies` is a statement of DuckDB that writes a file, and `reads` may be one that reads some. */
export interface Operation {
  readonly call: string
  readonly effect: Effect
  /** Relative to the folder that the program works in. */
  readonly path: string
}

type Happens = (operation: Operation) => boolean

/** At operations of these effects that are so. */
const at =
  (effects: string, isSo: Happens = () => true): Happens =>
  (operation) =>
    words(effects).includes(operation.effect) && isSo(operation)

const anywhere: Happens = () => true
const ofFiles: Happens = ({ call }) => call !== 'statement'
const byPath: Happens = ({ call }) => /^open/.test(call) || call.replace(/Sync$/, '') in ofPaths
const takesSpace: Happens = ({ call, effect }) =>
  ['writes', 'copies', 'syncs'].includes(effect) || /^(open|mkdir|link|symlink|copyFile|mkdtemp)/.test(call)

/**
 * A new file is in the page cache when its checksum is computed. With a bit flipped there its checksum does not fit, which a
 * later check of the file finds.
 */
const hashesOwnFile: Happens = ({ call, path }) => call === 'read' && /_staging\/.*\.parquet$/.test(path)

/** By its name, where a kind of fault can be. Those that fail an operation have the name of the error. */
export const faultKinds = {
  EIO: anywhere,
  ENOSPC: at('writes changes syncs copies', takesSpace),
  EACCES: at('looks opens reads changes', byPath),
  EMFILE: (operation) => byPath(operation) && /^(open|readFile|writeFile|readdir)/.test(operation.call),
  EROFS: at('changes copies'),
  /** As many bytes as a disk may take, or half of a file and then no space. */
  'short write': at('writes copies'),
  /** A bit is another one; in a file of DuckDB, once it is written. */
  'flipped bit': at('reads copies', (operation) => !hashesOwnFile(operation)),
  /** As few bytes as a read may give, or half of a file. */
  'short read': at('reads', ofFiles),
  /** The operation is done, and the process is gone. */
  crash: anywhere,
  /** From here on there is no space. */
  'disk full': at('writes changes copies', takesSpace),
  /** From here on nothing can be changed. */
  'read-only': at('changes writes copies'),
  slow: at('opens reads writes changes syncs', ofFiles),
  'clock jump': at('changes', ofFiles),
  /** The operation is done, and what was not synced is lost. */
  'power cut': anywhere,
  /** The operation is done, and of what was not synced some is lost. */
  'power cut, some kept': at('writes changes syncs', ofFiles),
} as const satisfies Readonly<Record<string, Happens>>

export type FaultKind = keyof typeof faultKinds
export const allKinds = Object.keys(faultKinds) as readonly FaultKind[]

/** Whether the process is gone afterwards. */
export const endsProcess = (kind: FaultKind) => kind === 'crash' || isPowerCut(kind)
export const isPowerCut = (kind: FaultKind) => kind.startsWith('power cut')

/** A fault at one operation, counted from 1; what else is to be drawn follows from the seed. */
export interface Injection {
  readonly kind: FaultKind
  readonly at: number
  readonly seed: string
}
