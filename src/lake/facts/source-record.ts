import { z } from '../../base/zod.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resourceNamed } from '../../catalog/resources.ts'
import type { DataFile } from './data-file.ts'
import { readSource, type WrittenSource, writeSource } from './facts.ts'
import { gatherSources, type SourceInFile } from './source.ts'

/** The part of a source in one partition of a table, as an exported file records it. */
export interface SourceRecord {
  readonly resource: Resource
  readonly partition: string | null
  readonly source: SourceInFile
}

/** A record as JSON. */
export interface SourceRecordJson {
  readonly table: string
  readonly partition: string | null
  readonly source: WrittenSource
}

/** Returns the sources of the files of a table, once for each partition. */
export function sourceRecordsOf(resource: Resource, files: readonly DataFile[]): readonly SourceRecord[] {
  const partitions = [...new Set(files.map(({ partition }) => partition))].sort()
  return partitions.flatMap((partition) =>
    gatherSources(files.filter((file) => file.partition === partition)).map((source) => ({
      ...{ resource, partition, source },
    })),
  )
}

export function writeSourceRecord({ resource, partition, source }: SourceRecord): SourceRecordJson {
  return { table: resource.name, partition, source: writeSource(source) }
}

const form = z.object({ table: z.string(), partition: z.string().nullable(), source: z.looseObject({}) })

/** Errors: Error that says what is wrong with a record. */
export function readSourceRecord(written: unknown): SourceRecord {
  const { table, partition, source } = form.parse(written)
  const resource = resourceNamed(table)
  if (resource === undefined) throw new Error(`there is no table ${table}`)
  return { resource, partition, source: readSource(resource, source as unknown as WrittenSource) }
}
