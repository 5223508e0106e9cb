import type { ServiceError } from '../../base/errors.ts'
import { getOrMake, groupBy } from '../../base/maps.ts'
import type { Resource } from '../../catalog/resource.ts'
import { tableFolder } from '../disk/layout.ts'
import type { DataFile } from '../facts/data-file.ts'
import { GroupStatistics } from '../facts/group-statistics.ts'
import { type Source, sourceKey } from '../facts/source.ts'
import { readTableLog } from '../log/delta-log.ts'
import type { Reached, TableLog } from '../log/table-state.ts'
import { DataFiles } from './data-files.ts'
import { writeSnapshotId } from './snapshot-id.ts'

/** A source over all files of a table. */
export interface SourceInTable extends Source {
  readonly rows: number
  /** Refused messages that were not ingested later. */
  readonly refused: number
  /** Ordinals of refused messages that were ingested later. */
  readonly retried: readonly bigint[]
}

/** Current state of a table from its log. */
export type Logged = Pick<TableLog, 'protocol' | 'metaData' | 'live' | 'columns'>

/** One table at one version. */
export class TableSnapshot {
  readonly resource: Resource
  readonly version: number
  readonly committedAt: number
  /** Digest of the newest log entry; no two lakes share it. */
  readonly digest: string
  readonly files: readonly DataFile[]
  /** Undefined for a table that does not exist. `live` has paths relative to the table. */
  readonly logged: Logged | undefined
  #sources: ReadonlyMap<string, SourceInTable> | undefined
  #byName: ReadonlyMap<string, readonly SourceInTable[]> | undefined
  #statistics: GroupStatistics | undefined
  #lacking: ReadonlyMap<string, readonly string[]> | undefined

  constructor(
    resource: Resource,
    { version, committedAt, entryDigest, ...logged }: Reached & Partial<Logged>,
    files: readonly DataFile[],
  ) {
    this.resource = resource
    this.version = version
    this.committedAt = committedAt
    this.digest = entryDigest
    this.files = files
    const { protocol, metaData, live, columns } = logged
    this.logged = protocol && metaData && live && columns && { protocol, metaData, live, columns }
  }

  get rows(): number {
    return this.files.reduce((sum, file) => sum + file.rows, 0)
  }

  /** Ingested sources, by `sourceKey`. */
  get sources(): ReadonlyMap<string, SourceInTable> {
    this.#sources ??= gatherSources(this.files)
    return this.#sources
  }

  /** Returns sources by file name alone, because rows have no kind. */
  sourcesNamed(name: string): readonly SourceInTable[] {
    this.#byName ??= groupBy(this.sources.values(), (source) => source.name)
    return this.#byName.get(name) ?? []
  }

  /** Returns the columns that a file of the table lacks; empty for any other file. */
  lacksOf(path: string): readonly string[] {
    this.#lacking ??= new Map(
      this.files.filter(({ lacks }) => lacks.length > 0).map((file) => [file.path, file.lacks]),
    )
    return this.#lacking.get(path) ?? []
  }

  /** Counts, sums and row numbers, from the log alone. */
  get statistics(): GroupStatistics {
    this.#statistics ??= GroupStatistics.of(this.files)
    return this.#statistics
  }
}

function gatherSources(files: readonly DataFile[]): ReadonlyMap<string, SourceInTable> {
  const sources = new Map<string, SourceInTable>()
  for (const { kind, name, sha256, rows, refused, retried = [] } of files.flatMap((file) => file.sources)) {
    const key = sourceKey({ kind, name })
    const sum = sources.get(key)
    sources.set(key, {
      kind,
      name,
      sha256,
      rows: rows + (sum?.rows ?? 0),
      refused: refused - retried.length + (sum?.refused ?? 0),
      retried: [...(sum?.retried ?? []), ...retried],
    })
  }
  return sources
}

/** Reads the files that a log names. Errors: `lake_damaged`. */
export function readTableSnapshot(lake: string, resource: Resource, log: TableLog): TableSnapshot {
  const dataFiles = new DataFiles()
  const folder = tableFolder(lake, resource)
  const files = [...log.live].map(([path, add]) => dataFiles.of(resource, folder, path, add))
  return new TableSnapshot(resource, log, files)
}

/** Reads a table at its newest version; version -1 when there is none. Errors: `lake_damaged`. */
export async function readNewestTable(lake: string, resource: Resource): Promise<TableSnapshot> {
  const log = await readTableLog(tableFolder(lake, resource))
  return log === undefined ? absentTable(resource) : readTableSnapshot(lake, resource, log)
}

/** Returns a snapshot of a table that does not exist yet. */
export function absentTable(resource: Resource): TableSnapshot {
  return new TableSnapshot(resource, { version: -1, committedAt: 0, entryDigest: '' }, [])
}

/**
 * One version of every table. A request reads from one snapshot only. The id names the lake and the versions; it is
 * empty while there is no table.
 */
export class Snapshot {
  readonly id: string
  readonly #tables: ReadonlyMap<string, TableSnapshot>
  readonly #absent = new Map<string, TableSnapshot>()
  /** Errors of unreadable tables, by name. They are neither in `tables` nor in the id. */
  readonly unreadable: ReadonlyMap<string, ServiceError>

  constructor(tables: readonly TableSnapshot[], unreadable: ReadonlyMap<string, ServiceError> = new Map()) {
    this.unreadable = unreadable
    this.#tables = new Map(tables.map((table) => [table.resource.name, table]))
    this.id = writeSnapshotId([...this.#tables.values()])
  }

  /** Returns the table of a resource; a table that does not exist has version -1. Errors: that of an unreadable table. */
  table(resource: Resource): TableSnapshot {
    const fault = this.unreadable.get(resource.name)
    if (fault !== undefined) throw fault
    const table = this.#tables.get(resource.name)
    return table ?? getOrMake(this.#absent, resource.name, () => absentTable(resource))
  }

  /** Existing, readable tables. */
  get tables(): readonly TableSnapshot[] {
    return [...this.#tables.values()]
  }

  get isEmpty(): boolean {
    return this.#tables.size === 0
  }
}
