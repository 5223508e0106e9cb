import { groupBy } from '../../../base/maps.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { type Source, sourceKey } from '../../../lake/facts/source.ts'
import type { SourceRecord } from '../../../lake/facts/source-record.ts'
import type { ExportedFile } from '../../ports/exported-file.ts'
import { describeGroup } from '../../store/verify-staged-file.ts'
import { FileFault } from '../../wire/faults.ts'
import type { DecodedArtifact, RowStatistics } from '../decode/decode-artifact.ts'
import type { Intake } from '../decode/intake.ts'

/** Records of a table by the key of their source. */
export type RecordedSources = ReadonlyMap<string, readonly SourceRecord[]>

/** Counts of a table by the name of the source. */
export type CountedSources = ReadonlyMap<string, Awaited<ReturnType<ExportedFile['readSources']>>[number]>
export type CountSources = (resource: Resource) => Promise<CountedSources>

export const EXPORT_WHOLE = 'export it without limits to ingest them'

/** Restores the sources of one table as they were decoded. */
export function exportedIntake(
  file: ExportedFile,
  countSources: CountSources,
  resource: Resource,
  sources: RecordedSources,
): Intake {
  const byName = groupBy([...sources.values()].flat(), ({ source }) => source.name)
  return {
    resource,
    isBeside: false,
    async open() {
      const stage = file.openStage(resource)
      return {
        stage,
        async decode(artifact, index) {
          const { name, recorded } = artifact
          if (recorded === undefined) throw new Error(`${name} is not from an export`)
          const inFile = (await countSources(resource)).get(name)
          refusePartial(name, byName.get(name) ?? [], inFile)
          const records = sources.get(sourceKey(recorded)) ?? []
          const decoded = { artifact, index, ...(await restore(file, recorded, records)) }
          stage.add(decoded.statistics.rows)
          return decoded
        },
      }
    },
  }
}

/** Errors: FileFault if the file has not exactly the rows of a source. */
function refusePartial(
  name: string,
  records: readonly SourceRecord[],
  inFile: ReturnType<CountedSources['get']>,
): void {
  if (new Set(records.map(({ source }) => source.kind)).size > 1)
    throw new FileFault(`${name} is of two kinds, and its rows do not say which`)
  const rows = sumOf(records, ({ source }) => source.rows)
  if ((inFile?.rows ?? 0) !== rows)
    throw new FileFault(`it has ${inFile?.rows ?? 0} of the ${rows} rows of ${name}; ${EXPORT_WHOLE}`)
  const described = records.flatMap(({ source }) => source.groups.map(describeGroup))
  const groups = inFile?.groups.map(describeGroup) ?? []
  const other = groups.find((group) => !described.includes(group))
  if (other !== undefined)
    throw new FileFault(
      `its rows of ${name} differ from their record: ${other}; expected ${described.join(', ')}`,
    )
}

/** Returns a source as it was decoded. Errors: FileFault if refused messages are missing. */
async function restore(
  file: ExportedFile,
  source: Source,
  records: readonly SourceRecord[],
): Promise<Omit<DecodedArtifact, 'artifact' | 'index'>> {
  const expected = sumOf(records, (record) => record.source.refused)
  const refused = expected === 0 ? [] : await file.readRefused(source.kind, source.name)
  if (refused.length !== expected)
    throw new FileFault(
      `it has ${refused.length} of the ${expected} refused messages of ${source.name}; ingest a DuckDB file of \`export --all\``,
    )
  const retried = records.flatMap((record) => record.source.retried ?? [])
  return { source, statistics: statisticsOf(records), refused, retried, replaces: false }
}

function statisticsOf(records: readonly SourceRecord[]): RowStatistics {
  const inPartition = (partition: string | null) =>
    records.filter((record) => record.partition === partition).map(({ source }) => source)
  return {
    rows: sumOf(records, ({ source }) => source.rows),
    partitions: records.filter(({ source }) => source.rows > 0).map(({ partition }) => partition),
    rowsIn: (partition) => sumOf(inPartition(partition), ({ rows }) => rows),
    groupsIn: (partition) => inPartition(partition).flatMap(({ groups }) => groups),
  }
}

function sumOf<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0)
}
