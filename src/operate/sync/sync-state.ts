import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJsonAs, z } from '../../base/zod.ts'
import { digestOf, makeFolder, replaceFile, unlessMissing } from '../../lake/disk/disk.ts'

/** Outcome of a fetched object. */
const fetched = z.object({
  etag: z.string(),
  /** Why it was not ingested; absent if it was. */
  reason: z.string().exactOptional(),
  /** True if the source changed the file after its ingest. */
  isChanged: z.boolean().exactOptional(),
})
export type Fetched = Readonly<z.infer<typeof fetched>>

/** Covered creation times of a series, in milliseconds since 1970. */
const covered = z.object({
  /** Start of the requested range. */
  fromMs: z.int(),
  /** Creation time of the newest listed object, or of the oldest that could not be fetched. */
  untilMs: z.int(),
})
export type Covered = Readonly<z.infer<typeof covered>>

/** State of a source after the last run. */
const syncState = z.object({
  /** Address as given, such as `s3://bucket/prefix`. */
  address: z.string(),
  /** Time of the last complete run, milliseconds since 1970. */
  doneAt: z.int().nullable(),
  /** Why the newest run failed; null if it completed. */
  problem: z.string().nullable(),
  /** Range in which the lake has all listed objects, by series. */
  covered: z.record(z.string(), covered),
  /** By key: objects that a listing may name again, and all objects that the lake lacks or has with other bytes. */
  fetched: z.record(z.string(), fetched),
  /** Files that manifests name and no one has, with the time of the last lookup in milliseconds since 1970. */
  missing: z.record(z.string(), z.int()),
})
export type SyncState = Readonly<z.infer<typeof syncState>>

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
  // Older builds wrote fewer members.
  const written = parseJsonAs(z.looseObject({}), text ?? 'null')
  return syncState.safeParse({ ...none, ...written }).data ?? none
}

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
