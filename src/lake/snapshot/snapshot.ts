import type { ServiceError } from '../../base/errors.ts'
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
  /** Messages that are refused still. */
  readonly refused: number
  /** Ordinals of refused messages that were ingested since. */
  readonly retried: readonly bigint[]
}

/** The actions that a table is now made of. */
export type Logged = Pick<TableLog, 'protocol' | 'metaData' | 'live' | 'columns'>

/** One table at one version. */
export class TableSnapshot {
  readonly resource: Resource
  readonly version: number
  readonly committedAt: number
  /** Digest of the newest log entry: two lakes do not share it. */
  readonly digest: string
  readonly files: readonly DataFile[]
  /** What the log says of the table and of each file, by its path in the table; undefined for a table that does not exist. */
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

  /** Sources by file name alone, which is what a row knows. */
  sourcesNamed(name: string): readonly SourceInTable[] {
    this.#byName ??= groupByName([...this.sources.values()])
    return this.#byName.get(name) ?? []
  }

  /** The columns that a file of the table was written without; none for any other file. */
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
    const known = sources.get(key)
    sources.set(key, {
      kind,
      name,
      sha256,
      rows: rows + (known?.rows ?? 0),
      refused: refused - retried.length + (known?.refused ?? 0),
      retried: [...(known?.retried ?? []), ...retried],
    })
  }
  return sources
}

function groupByName(sources: readonly SourceInTable[]): ReadonlyMap<string, readonly SourceInTable[]> {
  const byName = new Map<string, SourceInTable[]>()
  for (const source of sources) byName.set(source.name, [...(byName.get(source.name) ?? []), source])
  return byName
}

/** The files of a table as its log names them. Errors: `lake_damaged`. */
export function readTableSnapshot(lake: string, resource: Resource, log: TableLog): TableSnapshot {
  const known = new DataFiles()
  const folder = tableFolder(lake, resource)
  const files = [...log.live].map(([path, add]) => known.of(resource, folder, path, add))
  return new TableSnapshot(resource, log, files)
}

/** One table at its newest version; version -1 when there is none. Errors: `lake_damaged`. */
export async function readNewestTable(lake: string, resource: Resource): Promise<TableSnapshot> {
  const log = await readTableLog(tableFolder(lake, resource))
  return log === undefined ? absentTable(resource) : readTableSnapshot(lake, resource, log)
}

/** A table that does not exist yet. */
export function absentTable(resource: Resource): TableSnapshot {
  return new TableSnapshot(resource, { version: -1, committedAt: 0, entryDigest: '' }, [])
}

/**
 * One version of every table. Everything that one request reads comes from one snapshot. Its id names the lake and the
 * versions; it is empty while there is no table.
 */
export class Snapshot {
  readonly id: string
  readonly #tables: ReadonlyMap<string, TableSnapshot>
  readonly #absent = new Map<string, TableSnapshot>()
  /** Why tables that exist could not be read, by their names; they are not among the others, nor in the id. */
  readonly unreadable: ReadonlyMap<string, ServiceError>

  constructor(tables: readonly TableSnapshot[], unreadable: ReadonlyMap<string, ServiceError> = new Map()) {
    this.unreadable = unreadable
    this.#tables = new Map(tables.map((table) => [table.resource.name, table]))
    this.id = writeSnapshotId([...this.#tables.values()])
  }

  /** The table of a resource; one that does not exist yet has version -1 and no files. Errors: why it could not be read. */
  table(resource: Resource): TableSnapshot {
    const fault = this.unreadable.get(resource.name)
    if (fault !== undefined) throw fault
    const known = this.#tables.get(resource.name) ?? this.#absent.get(resource.name)
    if (known !== undefined) return known
    const absent = absentTable(resource)
    this.#absent.set(resource.name, absent)
    return absent
  }

  /** The tables that exist. */
  get tables(): readonly TableSnapshot[] {
    return [...this.#tables.values()]
  }

  get isEmpty(): boolean {
    return this.#tables.size === 0
  }
}
