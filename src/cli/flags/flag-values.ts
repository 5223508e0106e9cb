import { InvalidArgumentError } from 'commander'
import { allFeatures, type Feature } from '../../catalog/feature.ts'
import { isAddress } from '../../settings/readers.ts'
import { type ArtifactKind, artifactKinds } from '../../write/ingest/files/artifact.ts'
import { type BlockRange, readBlockRange } from '../../write/ingest/files/block-range.ts'

/** Parsers of flag values. Their errors say which values are accepted. */

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Use a whole number.')
  return Number(text)
}

export function positiveNumber(text: string): number {
  if (!/^0*[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Use a whole number, 1 or more.')
  return Number(text)
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** Parses a duration to milliseconds. */
export function everyTime(text: string): number {
  const [, number, unit = ''] = /^(\d{1,4})([smh])$/.exec(text) ?? []
  const time = Number(number) * (UNITS[unit] ?? Number.NaN)
  if (time > 0) return time
  throw new InvalidArgumentError('Use a time such as 90s, 15m or 2h.')
}

export function notEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  return text
}

/** Accepts a path on this machine and no URL. */
export function localPath(text: string): string {
  if (isAddress(text))
    throw new InvalidArgumentError(
      `It must be a path on this machine; for a folder of that name, write ${JSON.stringify(`./${text}`)}.`,
    )
  return notEmpty(text)
}

/** Accepts a name that every engine supports without quotes. */
export function schemaName(text: string): string {
  if (!/^[a-z][a-z\d_]{0,127}$/.test(text))
    throw new InvalidArgumentError('Use lower-case letters, digits and underscores, beginning with a letter.')
  return text
}

/** Adds a text to those of earlier flags. */
export function repeated(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text]
}

export function blockRange(text: string): BlockRange {
  const range = readBlockRange(text)
  if (range !== undefined) return range
  throw new InvalidArgumentError(
    'Use a range such as 1000000..1099999, 1000000.. or ..1099999, whose first block is not after its last.',
  )
}

/** Parses months separated by commas, and adds them to those of earlier flags. */
export function listedMonths(text: string, earlier: readonly string[] = []): readonly string[] {
  const months = text.split(',')
  if (months.every((month) => /^\d{4}-(0[1-9]|1[0-2])$/.test(month))) return [...earlier, ...months]
  throw new InvalidArgumentError('Use months such as 2026-07, separated by commas.')
}

/** Returns a parser of names separated by commas, which adds them to those of earlier flags. */
function listedOf<Name extends string>(known: readonly Name[]) {
  return (text: string, earlier: readonly Name[] = []): readonly Name[] => {
    const names = text.split(',')
    const listed = known.filter((name) => names.includes(name))
    if (listed.length === new Set(names).size) return [...earlier, ...listed]
    throw new InvalidArgumentError(`Use one or several of ${known.join(', ')}, separated by commas.`)
  }
}

export const listedKinds = listedOf<ArtifactKind>(artifactKinds)

const severalFeatures = listedOf<Feature>(allFeatures)

/** Parses features, or `none`. */
export function listedFeatures(text: string, earlier?: readonly Feature[]): readonly Feature[] {
  return text === 'none' ? [] : severalFeatures(text, earlier)
}
