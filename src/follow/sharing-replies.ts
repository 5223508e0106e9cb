import { resourceNamed } from '../catalog/resources.ts'
import { isCount, isObject } from '../lake/log-actions.ts'
import { StoreFault } from '../object-store/object-store.ts'

/** A log entry as it is sent, with signed addresses of the files that it adds, by their paths in the table. */
export interface SentEntry {
  readonly version: number
  readonly text: string
  readonly files: Readonly<Record<string, string>>
}

/** The tables of a lake at one moment. */
export interface ServedLake {
  readonly snapshot: string
  readonly versions: ReadonlyMap<string, number>
}

/** `{"snapshot", "tables"}`. `name` is that of who sent it. Errors: `StoreFault`, for anything else too, which may pass. */
export function readServedLake(text: string, name: string): ServedLake {
  const { snapshot, tables } = readObject(text, name)
  const versions = isObject(tables) ? Object.entries(tables) : []
  const areVersions = versions.every((one): one is [string, number] => isCount(one[1]))
  if (typeof snapshot !== 'string' || !isObject(tables) || !areVersions) return refuse(text, name)
  const [unknown] = versions.find(([table]) => resourceNamed(table) === undefined) ?? []
  if (unknown === undefined) return { snapshot, versions: new Map(versions) }
  const sentence = `${name} has the table ${unknown}, which this version does not know; install the one that runs there`
  throw new StoreFault('refused', sentence)
}

/** Errors: as above. */
export function readSentEntry(line: string, name: string): SentEntry {
  const { version, text, files } = readObject(line, name)
  const areTexts = isObject(files) && Object.values(files).every((one) => typeof one === 'string')
  if (isCount(version) && typeof text === 'string' && areTexts)
    return { version, text, files: files as SentEntry['files'] }
  return refuse(line, name)
}

function readObject(text: string, name: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text)
    return isObject(read) ? read : refuse(text, name)
  } catch (cause) {
    return refuse(text, name, cause)
  }
}

function refuse(text: string, name: string, cause?: unknown): never {
  const begin = JSON.stringify(text.slice(0, 60))
  throw new StoreFault('passing', `${name} answers ${begin}, which is cut or no reply of a ledgerlake`, cause)
}
