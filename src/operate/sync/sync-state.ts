import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf, makeFolder, replaceFile, unlessMissing } from '../../lake/disk/disk.ts'
import { isMembers } from '../../lake/log/log-actions.ts'

/** Outcome of a fetched object. */
export interface Fetched {
  readonly etag: string
  /** Why it was not ingested; undefined if it was. */
  readonly reason?: string
  /** True if the source changed the file after its ingest. */
  readonly isChanged?: boolean
}

/** Covered creation times of a series, in milliseconds since 1970. */
export interface Covered {
  /** Start of the requested range. */
  readonly fromMs: number
  /** Creation time of the newest listed object, or of the oldest that could not be fetched. */
  readonly untilMs: number
}

/** State of a source after the last run. */
export interface SyncState {
  /** Address as given, such as `s3://bucket/prefix`. */
  readonly address: string
  /** Time of the last complete run, milliseconds since 1970. */
  readonly doneAt: number | null
  /** Why the newest run failed; null if it completed. */
  readonly problem: string | null
  /** Range in which the lake has all listed objects, by series. */
  readonly covered: Readonly<Record<string, Covered>>
  /** By key: objects that a listing may name again, and all objects that the lake lacks or has with other bytes. */
  readonly fetched: Readonly<Record<string, Fetched>>
  /** Files that manifests name and no one has, with the time of the last lookup in milliseconds since 1970. */
  readonly missing: Readonly<Record<string, number>>
}

/** Returns the folder of a source in the state folder. */
export function sourceFolder(stateFolder: string, address: string): string {
  const plain = address.replace(/^[a-z\d]+:\/\//, '').replace(/[^\w.-]+/g, '-')
  return join(syncStateFolder(stateFolder), `${plain.slice(0, 60)}-${digestOf(address).slice(0, 8)}`)
}

/** Returns the folder of all sources' states. */
export function syncStateFolder(stateFolder: string): string {
  return join(stateFolder, 'sync')
}

/** Reads the state of a source; empty if the file is missing or damaged, because the log names all ingested files. */
export async function readSyncState(folder: string, address: string): Promise<SyncState> {
  const text = await readFile(join(folder, 'state.json'), 'utf8').catch(unlessMissing)
  const none = { address, doneAt: null, problem: null, covered: {}, fetched: {}, missing: {} }
  if (text === undefined) return none
  try {
    const read: unknown = JSON.parse(text)
    return { ...none, ...(isState(read) && read) }
  } catch {
    return none
  }
}

/** The members are as this program wrote them. */
const isState = (value: unknown): value is Partial<SyncState> => isMembers(value)

/** Changes parts of the state atomically. */
export async function changeSyncState(
  { folder, address }: { readonly folder: string; readonly address: string },
  changes: Partial<SyncState>,
): Promise<void> {
  const state = { ...(await readSyncState(folder, address)), ...changes }
  await makeFolder(folder)
  const path = join(folder, 'state.json')
  await replaceFile(path, `${JSON.stringify(state)}\n`, `${path}.new`)
}

/** An object that is not in the lake, or with other bytes, and the reason. */
export interface LeftObject {
  readonly key: string
  readonly reason: string
}

/** Returns true if an object was refused or changed. */
export function isUnsettled({ reason, isChanged }: Fetched): boolean {
  return reason !== undefined || isChanged === true
}

export function reasonOfLeft({ reason }: Partial<Fetched> = {}): string {
  return reason ?? CHANGED
}

export const CHANGED =
  'it has other bytes than when it was ingested; --replace fetches it again and replaces its rows'
