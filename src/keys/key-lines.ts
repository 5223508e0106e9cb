import { crc32 } from 'node:zlib'
import { fail } from '../base/errors.ts'
import { count, parseJsonAs, z } from '../base/zod.ts'
import { allFeatures } from '../catalog/feature.ts'
import { SCRAM_FORM } from './scram-verifier.ts'

/**
 * Lines of a key file: JSON objects, each an added key or a revocation. The first line has a checksum for each other
 * line; FORMAT.md explains its form.
 */

const limit = count.nullable()
const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
const added = z.strictObject({
  id: z.string().regex(/^[\da-f]{12}$/),
  sha256: z.string().regex(/^[\da-f]{64}$/),
  name: z.string().min(1),
  features: z.array(z.enum(allFeatures)),
  ratePerMinute: limit,
  quotaPer30Days: limit,
  lookbackDays: limit,
  scram: z.string().regex(SCRAM_FORM).optional(),
  created: instant,
})
/** An added key, or the id and time of a revocation. */
const line = z.union([added, z.strictObject({ id: z.string(), revoked: instant })])
export type Line = z.infer<typeof line>

const CHECKSUMS = /^\{"id":"crc32((?: [\da-f]{8})*)","revoked":"1970-01-01T00:00:00\.000Z"\}$/

/** Marks lines that have a checksum, so that a missing first line is noticed. JSON allows a blank there. */
const SUMMED = ' '

/** Returns the content of a key file. Each checksum is the CRC-32 of all lines up to its own. */
export function writeKeyLines(lines: readonly Line[]): string {
  const rows = lines.map((entry) => JSON.stringify(entry) + SUMMED)
  const first = `{"id":"${['crc32', ...checksumsOf(rows)].join(' ')}","revoked":"1970-01-01T00:00:00.000Z"}`
  return [first, ...rows, ''].join('\n')
}

/**
 * Parses the lines of a key file; throws if any was changed, removed or reordered. Lines without a checksum at the end
 * are from a build that wrote none.
 * Errors: `malformed_request` names the line.
 */
export function parseKeyLines(text: string, path: string): readonly Line[] {
  const rows = wholeRows(text)
  if (rows.length === 0 && text !== '')
    fail(
      'malformed_request',
      `${path} is cut off within its first line, ${shown(text)}. Restore the file from a copy, or remove it and add keys anew.`,
    )
  const checksums = checksumsIn(rows)
  if (checksums === undefined && rows.some((row) => row.endsWith(`}${SUMMED}`)))
    fail(
      'malformed_request',
      `${path} has lost its first line, which has the checksums of the others. Restore the file from a copy, or remove it and add keys anew.`,
    )
  const refuse = (index: number, problem: string): never =>
    fail(
      'malformed_request',
      `Line ${index + (checksums === undefined ? 1 : 2)} of ${path} ${problem}. ` +
        'Restore the file from a copy, or remove it and add keys anew.',
    )
  const entries = checksums === undefined ? rows : rows.slice(1)
  const actual = checksumsOf(entries)
  const ids = new Set<string>()
  const lines = entries.map((row, index) => {
    if ((checksums?.[index] ?? actual[index]) !== actual[index])
      refuse(index, 'does not match its checksum in line 1')
    const entry =
      parseJsonAs(line, row) ?? refuse(index, `is ${shown(row)}, which ledgerlake keys did not write`)
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

/** Returns true if every line of a sound key file has a checksum. */
export function hasChecksums(text: string): boolean {
  const rows = wholeRows(text)
  return checksumsIn(rows)?.length === rows.length - 1
}

/** Returns the checksums in the first line; undefined if it has none. */
function checksumsIn([first = '']: readonly string[]): readonly string[] | undefined {
  return CHECKSUMS.exec(first)?.[1]?.split(' ').slice(1)
}

function checksumsOf(rows: readonly string[]): readonly string[] {
  let sum = 0
  return rows.map((row) => {
    sum = crc32(`${row}\n`, sum)
    return sum.toString(16).padStart(8, '0')
  })
}

/**
 * Splits a text into lines. Builds that appended may have stopped within the last line, whose key nobody received. A
 * last line with a closing bracket is damaged, not cut off.
 */
function wholeRows(text: string): readonly string[] {
  const rows = text.split('\n')
  return rows.at(-1)?.includes('}') ? rows : rows.slice(0, -1)
}

const shown = (row: string) => JSON.stringify(row.length > 60 ? `${row.slice(0, 60)}…` : row)
