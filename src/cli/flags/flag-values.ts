import { InvalidArgumentError } from 'commander'
import { allFeatures, type Feature } from '../../catalog/feature.ts'
import { isAddress } from '../../services/settings/readers.ts'
import { type ArtifactKind, artifactKinds } from '../../write/ingest/files/artifact.ts'
import { readBlockRange } from '../../write/ingest/files/block-range.ts'

/** Returns a parser of flag values. `read` returns undefined for wrong text, and `advice` says what is accepted. */
export function flagParser<T>(read: (text: string) => T | undefined, advice: string): (text: string) => T {
  return (text) => {
    const value = read(text)
    if (value !== undefined) return value
    throw new InvalidArgumentError(advice)
  }
}

/** Returns a parser that accepts text of a form. */
export const flagOfForm = (form: RegExp, advice: string) =>
  flagParser((text) => (form.test(text) ? text : undefined), advice)

const numberOfForm = (form: RegExp, advice: string) =>
  flagParser((text) => (form.test(text) ? Number(text) : undefined), advice)

export const wholeNumber = numberOfForm(/^\d{1,9}$/, 'Use a whole number.')

export const positiveNumber = numberOfForm(/^0*[1-9]\d{0,8}$/, 'Use a whole number, 1 or more.')

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** Parses a duration to milliseconds. */
export const everyTime = flagParser((text) => {
  const [, number, unit = ''] = /^(\d{1,4})([smh])$/.exec(text) ?? []
  const time = Number(number) * (UNITS[unit] ?? Number.NaN)
  return time > 0 ? time : undefined
}, 'Use a time such as 90s, 15m or 2h.')

export const notEmpty = flagOfForm(/\S/, 'It must not be empty.')

/** Accepts a path on this machine and no URL. */
export function localPath(text: string): string {
  if (isAddress(text))
    throw new InvalidArgumentError(
      `It must be a path on this machine; for a folder of that name, write ${JSON.stringify(`./${text}`)}.`,
    )
  return notEmpty(text)
}

/** Accepts a name that every engine supports without quotes. */
export const schemaName = flagOfForm(
  /^[a-z][a-z\d_]{0,127}$/,
  'Use lower-case letters, digits and underscores, beginning with a letter.',
)

/** Adds a text to those of earlier flags. */
export function repeated(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text]
}

export const blockRange = flagParser(
  readBlockRange,
  'Use a range such as 1000000..1099999, 1000000.. or ..1099999, whose first block is not after its last.',
)

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
