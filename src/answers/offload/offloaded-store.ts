import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { replaceFile } from '../../lake/disk/disk.ts'
import { readLogFile } from '../../lake/log/log-entry.ts'

/** Offloaded bytes of the rows of one source with the same period and type. */
export interface OffloadedGroup {
  readonly period: bigint
  readonly type: string
  readonly bytes: bigint
}

type StoredGroups = ReadonlyMap<string, readonly OffloadedGroup[]>

type WrittenGroup = readonly [period: string, type: string, bytes: string]
type Written = Readonly<Record<string, readonly WrittenGroup[]>>

/** Computed sums by source digest, number of rows and price, in memory and in one file of the state folder. */
export function openOffloadedStore(stateFolder: string) {
  const path = join(stateFolder, 'offloaded-bytes.json')
  const groups = new Map<string, readonly OffloadedGroup[]>()
  let loading: Promise<void> | undefined

  const readText = async () => (await readLogFile(path).catch(() => undefined))?.toString('utf8')

  async function load(): Promise<void> {
    for (const [key, read] of readGroups((await readText()) ?? '') ?? []) groups.set(key, read)
  }

  /** The file is a cache. A partial temporary file is overwritten, and the checksum detects concurrent writes. */
  async function save(): Promise<void> {
    const written = Object.fromEntries(
      [...groups].map(([key, keyGroups]) => [key, keyGroups.map(writeGroup)]),
    )
    const text = JSON.stringify({ digest: digestOf(written), groups: written })
    await replaceFile(path, text, `${path}.tmp`).catch(() => {})
  }

  return {
    ready(): Promise<void> {
      loading ??= load()
      return loading
    },
    /** Rereads the file, which another process may have extended. */
    again: load,
    /** Returns the file if it exists; `groups` is undefined if its checksum differs. */
    async stored() {
      const text = await readText()
      return text === undefined ? undefined : { path, groups: readGroups(text) }
    },
    groupsOf: (key: string) => groups.get(key),
    async remember(computed: Iterable<readonly [string, readonly OffloadedGroup[]]>): Promise<void> {
      for (const [key, keyGroups] of computed) groups.set(key, keyGroups)
      await save()
    },
    /** Drops the sums whose keys have one of these prefixes. */
    async forget(beginnings: readonly string[]): Promise<void> {
      for (const key of groups.keys()) if (beginnings.some((text) => key.startsWith(text))) groups.delete(key)
      await save()
    },
  }
}

/** Returns undefined for a damaged file, whose sums are recomputed. */
function readGroups(text: string): StoredGroups | undefined {
  try {
    const { digest, groups }: { digest?: string; groups?: Written } = JSON.parse(text)
    if (groups === undefined || digestOf(groups) !== digest) return undefined
    return new Map(Object.entries(groups).map(([key, written]) => [key, written.map(readGroup)]))
  } catch {
    return undefined
  }
}

function digestOf(written: Written): string {
  return createHash('sha256').update(JSON.stringify(written)).digest('hex')
}

function readGroup([period, type, bytes]: WrittenGroup): OffloadedGroup {
  return { period: BigInt(period), type, bytes: BigInt(bytes) }
}

function writeGroup({ period, type, bytes }: OffloadedGroup): WrittenGroup {
  return [period.toString(), type, bytes.toString()]
}
