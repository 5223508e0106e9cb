import { join } from 'node:path'
import { sentenceOf } from '../../base/errors.ts'
import { writeInstant } from '../../base/values/instant.ts'
import { partitionColumns } from '../../catalog/delta-schema.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import { sourceKey } from '../../lake/facts/source.ts'
import { refuseWriting } from '../../lake/log/table-format.ts'
import type { ContentReader } from '../../lake/ports/content-reader.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { type Finding, fault, repairs } from './finding.ts'
import { entryName, type TableView } from './table-view.ts'

/** Checks the log of a table as a whole. Without `entriesAreSound`, faults of its files are already reported. */
export function checkTable(table: TableView, file: string, entriesAreSound: boolean): readonly Finding[] {
  const { at, entries } = table
  const wrong = (what: string) => fault('table', file, what, repairs.fromCopy)
  const missing = entries.findIndex((version, place) => version !== place)
  const lost = 'It is missing although later ones are there.'
  const path = join(file, '_delta_log', entryName(missing))
  const gap = missing < 0 ? [] : [fault('log entry', path, lost, repairs.fromCopy)]
  if (table.fault !== undefined && entriesAreSound && gap.length === 0) return [wrong(table.fault)]
  if (at === undefined) return gap
  const described = describesItself(table)
  const twice = `${repairs.fromCopy}; rows are there twice`
  return [
    ...gap,
    ...(described === undefined ? [] : [wrong(described)]),
    ...doubledSources(at).map((what) => fault('source', file, what, twice)),
  ]
}

/** Describes a table format that this build cannot write, or a file in the wrong partition. */
function describesItself({ folder, resource, log }: TableView): string | undefined {
  if (resource === undefined || log === undefined) return undefined
  try {
    refuseWriting(folder, resource, log)
  } catch (error) {
    return sentenceOf(error)
  }
  const { metaData, live } = log
  const declared = partitionColumns(resource).join()
  if (metaData.partitionColumns.join() !== declared)
    return `Its log names the partition columns ${metaData.partitionColumns.join()} where ${declared} are declared.`
  const elsewhere = [...live].find(([path, { partitionValues }]) => {
    const folders = Object.entries(partitionValues).map(([by, value]) => `${by}=${value}/`)
    return !path.startsWith(folders.join('')) || path.split('/').length !== folders.length + 1
  })
  return elsewhere && `${elsewhere[0]} lies in another partition than the log says.`
}

/**
 * Finds duplicates in the log: a source with two digests, a source twice in one file, or, if the log has group
 * statistics, a group of a source in two files.
 */
function doubledSources({ files, resource }: TableSnapshot): readonly string[] {
  const digests = new Map<string, string>()
  const seen = new Set<string>()
  const doubled: string[] = []
  const meet = (key: string, sentence: string) => {
    if (seen.has(key)) doubled.push(sentence)
    seen.add(key)
  }
  for (const { path, sources } of files)
    for (const source of sources) {
      const key = sourceKey(source)
      const digest = digests.get(key) ?? source.sha256
      digests.set(key, digest)
      if (digest !== source.sha256) doubled.push(`${source.name} is in it with two digests.`)
      meet(`${path}\0${key}`, `${source.name} is named twice by ${path}.`)
      if (resource.statistics !== undefined)
        for (const { period, type } of source.groups)
          meet(
            `${key}\0${period}\0${type}`,
            `Two files have rows of ${source.name} for ${type} at ${writeInstant(period)}.`,
          )
    }
  return doubled
}

/** Reports rows that are in two sound files. Only for tables without group statistics. */
export async function checkDoubledRows(
  { resource, files }: TableSnapshot,
  isSound: (file: DataFile) => boolean,
  reader: ContentReader,
): Promise<readonly Finding[]> {
  if (resource.statistics !== undefined) return []
  const findings: Finding[] = []
  for (const partition of new Set(files.map((dataFile) => dataFile.partition))) {
    const inPartition = files.filter(
      (dataFile) => dataFile.partition === partition && dataFile.rows > 0 && isSound(dataFile),
    )
    if (inPartition.length < 2) continue
    const twice = await reader.countTwice(resource, inPartition)
    if (twice === 0) continue
    const what = `${twice} rows are in two files${partition === null ? '' : ` of ${partition}`}.`
    findings.push(fault('source', resource.name, what, repairs.fromCopy))
  }
  return findings
}
