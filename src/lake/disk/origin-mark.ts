import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fail } from '../../base/errors.ts'
import { makeFolder, moveInto, unlessMissing, writeSynced } from './disk.ts'

/** What a lake is a copy of: commits count there, and come here afterwards. */
export interface OriginMark {
  /** `s3://bucket/folder`, or the address of a server that shares its tables. */
  readonly url: string
  /** Of a store of the S3 protocol that is not Amazon's; empty otherwise. */
  readonly endpoint: string
}

/** Where a copy says so. */
export const markPath = (lake: string) => join(lake, '_origin.json')

/** Undefined for a lake of its own. Errors: `lake_damaged`. */
export function readOriginMark(lake: string): OriginMark | undefined {
  const text = readMark(lake)
  if (text === undefined) return undefined
  try {
    const { url, endpoint }: { url?: unknown; endpoint?: unknown } = JSON.parse(text)
    if (typeof url === 'string' && typeof endpoint === 'string') return { url, endpoint }
  } catch {
    // Said below.
  }
  return fail(
    'lake_damaged',
    `${markPath(lake)} does not say what the lake is a copy of; copy it into an empty folder.`,
  )
}

function readMark(lake: string): string | undefined {
  try {
    return readFileSync(markPath(lake), 'utf8')
  } catch (error) {
    return unlessMissing(error)
  }
}

/** Marks a folder as a copy. Errors: `malformed_request` where it is a lake of its own, or a copy of something else. */
export async function markOrigin(lake: string, mark: OriginMark, isEmpty: boolean): Promise<void> {
  const known = readOriginMark(lake)
  if (known?.url === mark.url && known.endpoint === mark.endpoint) return
  if (known !== undefined && known.url !== mark.url)
    fail('malformed_request', `${lake} is a copy of ${known.url}, not of ${mark.url}; use another folder.`)
  if (known === undefined && !isEmpty)
    fail(
      'malformed_request',
      `${lake} has commits of its own, so it is no copy of ${mark.url}; use another folder.`,
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
