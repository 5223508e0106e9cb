import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { features } from '../catalog/feature.ts'
import { fail } from '../errors.ts'

/**
 * The lines of a key file: one JSON object each, a key that was added or the id of one that was revoked, after a first
 * line with a checksum for each of them. FORMAT.md says why the first line looks as it does.
 */

const limit = z.int().min(0).nullable()

const added = z.strictObject({
  id: z.string().regex(/^[\da-f]{12}$/),
  sha256: z.string().regex(/^[\da-f]{64}$/),
  name: z.string().min(1),
  features: z.array(z.enum(features)),
  ratePerMinute: limit,
  quotaPer30Days: limit,
  lookbackDays: limit,
  created: z.iso.datetime(),
})

const revoked = z.strictObject({ id: z.string(), revoked: z.iso.datetime() })

const line = z.union([added, revoked])

export type Line = z.output<typeof line>

const CHECKSUMS = /^\{"id":"crc32((?: [\da-f]{8})*)","revoked":"1970-01-01T00:00:00\.000Z"\}$/

/** The content of a key file. Each checksum, a CRC-32, is of its line and of all before it. */
export function writeLines(lines: readonly Line[]): string {
  const rows = lines.map((entry) => JSON.stringify(entry))
  const first = `{"id":"${['crc32', ...checksumsOf(rows)].join(' ')}","revoked":"1970-01-01T00:00:00.000Z"}`
  return [first, ...rows, ''].join('\n')
}

/**
 * The lines of a key file, none of them altered, dropped or out of order. Lines after those that have checksums are of a
 * build that wrote none. Errors: `malformed_request` names the line.
 */
export function readLines(text: string, path: string): readonly Line[] {
  const rows = wholeRows(text)
  const checksums = CHECKSUMS.exec(rows[0] ?? '')?.[1]
    ?.split(' ')
    .slice(1)
  const refuse = (index: number, problem: string): never =>
    fail(
      'malformed_request',
      `Line ${index + (checksums === undefined ? 1 : 2)} of ${path} ${problem}; a key as written by ledgerlake keys add is accepted. ` +
        'Restore the file from a copy, or remove it and add keys anew.',
    )
  const entries = checksums === undefined ? rows : rows.slice(1)
  const found = checksumsOf(entries)
  const ids = new Set<string>()
  const lines = entries.map((row, index) => {
    if ((checksums?.[index] ?? found[index]) !== found[index])
      refuse(index, 'does not fit its checksum in line 1')
    const entry = line.safeParse(parseJson(row)).data ?? refuse(index, `is ${shown(row)}`)
    if ('sha256' in entry === ids.has(entry.id))
      refuse(
        index,
        'sha256' in entry ? 'adds a key that is there already' : 'revokes a key that no line adds',
      )
    ids.add(entry.id)
    return entry
  })
  if (lines.length < (checksums?.length ?? 0)) refuse(lines.length, 'is missing')
  return lines
}

function checksumsOf(rows: readonly string[]): readonly string[] {
  let sum = 0
  return rows.map((row) => {
    sum = crc32(`${row}\n`, sum)
    return sum.toString(16).padStart(8, '0')
  })
}

/**
 * Builds that appended to the file may have been cut off in the last line; then nobody was told of it. What has a closing
 * bracket was not cut off but harmed.
 */
function wholeRows(text: string): readonly string[] {
  const rows = text.split('\n')
  return rows.at(-1)?.includes('}') ? rows : rows.slice(0, -1)
}

const shown = (row: string) => JSON.stringify(row.length > 60 ? `${row.slice(0, 60)}…` : row)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
