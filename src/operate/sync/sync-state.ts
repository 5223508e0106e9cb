import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf, makeFolder, replaceFile, unlessMissing } from '../../lake/disk/disk.ts'

/** The outcome of a fetched object. */
export interface Fetched {
  readonly etag: string
  /** Why it was not ingested; missing when it was. */
  readonly reason?: string
  /** The lake has other bytes under this name than the source, which changed after the ingest. */
  readonly isChanged?: boolean
}

/** Creation of objects of a series, in milliseconds since 1970. */
export interface Covered {
  /** The range asked for began here. */
  readonly fromMs: number
  /** Of the newest object that was listed, or of the oldest that could not be fetched. */
  readonly untilMs: number
}

/** The state of a source at the last look. */
export interface SyncState {
  /** As it was given, such as `s3://bucket/prefix`. */
  readonly address: string
  /** When a run last came to its end, milliseconds since 1970. */
  readonly doneAt: number | null
  /** Why the newest run did not; null when it did. */
  readonly problem: string | null
  /** By series: from where on all is in the lake that was listed. */
  readonly covered: Readonly<Record<string, Covered>>
  /** By key: objects that a listing may name again, and all that are not in the lake as the source has them. */
  readonly fetched: Readonly<Record<string, Fetched>>
  /** Files that manifests name and nobody has: when each was last looked for, in milliseconds since 1970. */
  readonly missing: Readonly<Record<string, number>>
}

/** The folder of a source below the state folder. */
export function sourceFolder(stateFolder: string, address: string): string {
  const plain = address.replace(/^[a-z\d]+:\/\//, '').replace(/[^\w.-]+/g, '-')
  return join(syncStateFolder(stateFolder), `${plain.slice(0, 60)}-${digestOf(address).slice(0, 8)}`)
}

/** Where the state of all sources lies. */
export function syncStateFolder(stateFolder: string): string {
  return join(stateFolder, 'sync')
}

/** Reads the state of a source; empty if the file is missing or unreadable, since the log knows which files are in. */
export async function readSyncState(folder: string, address: string): Promise<SyncState> {
  const text = await readFile(join(folder, 'state.json'), 'utf8').catch(unlessMissing)
  const none = { address, doneAt: null, problem: null, covered: {}, fetched: {}, missing: {} }
  if (text === undefined) return none
  try {
    return { ...none, ...(JSON.parse(text) as SyncState) }
  } catch {
    return none
  }
}

/** Changes a part of what is known: after a crash it is the old state or the new one. */
export async function changeSyncState(
  { folder, address }: { readonly folder: string; readonly address: string },
  changes: Partial<SyncState>,
): Promise<void> {
  const state = { ...(await readSyncState(folder, address)), ...changes }
  await makeFolder(folder)
  const path = join(folder, 'state.json')
  await replaceFile(path, `${JSON.stringify(state)}\n`, `${path}.new`)
}
