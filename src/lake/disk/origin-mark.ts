import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fail } from '../../base/errors.ts'
import { parseJsonAs, z } from '../../base/zod.ts'
import { makeFolder, moveInto, unlessMissing, writeSynced } from './disk.ts'

/** Origin of a copied lake. Commits are made there first. */
const originMark = z.object({
  /** `s3://bucket/folder`, or the address of a server that shares its tables. */
  url: z.string(),
  /** Endpoint of an S3-compatible store; empty for Amazon S3. */
  endpoint: z.string(),
})
export type OriginMark = Readonly<z.infer<typeof originMark>>

export const markPath = (lake: string) => join(lake, '_origin.json')

/** Returns undefined for a lake that is not a copy. Errors: `lake_damaged`. */
export function readOriginMark(lake: string): OriginMark | undefined {
  const text = readMark(lake)
  if (text === undefined) return undefined
  return (
    parseJsonAs(originMark, text) ??
    fail(
      'lake_damaged',
      `${markPath(lake)} does not say what the lake is a copy of; copy it into an empty folder.`,
    )
  )
}

function readMark(lake: string): string | undefined {
  try {
    return readFileSync(markPath(lake), 'utf8')
  } catch (error) {
    return unlessMissing(error)
  }
}

/** Marks a folder as a copy. Errors: `malformed_request` when it is another lake or another copy. */
export async function markOrigin(lake: string, mark: OriginMark, isEmpty: boolean): Promise<void> {
  const present = readOriginMark(lake)
  if (present?.url === mark.url && present.endpoint === mark.endpoint) return
  if (present !== undefined && present.url !== mark.url)
    fail('malformed_request', `${lake} is a copy of ${present.url}, not of ${mark.url}; use another folder.`)
  if (present === undefined && !isEmpty)
    fail(
      'malformed_request',
      `${lake} has commits of its own, so it is not a copy of ${mark.url}; use another folder.`,
    )
  await makeFolder(lake)
  const temporary = `${markPath(lake)}.${randomUUID()}`
  try {
    await writeSynced(temporary, `${JSON.stringify(mark)}\n`)
    await moveInto(temporary, markPath(lake))
  } finally {
    rmSync(temporary, { force: true })
  }
}
