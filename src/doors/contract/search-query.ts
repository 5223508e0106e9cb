import { parameter, quoted, type RawQuery, refuse, textParameter } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import { combineChecks } from '../../catalog/query/filter-values.ts'

export const searchPath = '/search'

/** Length of a searched text in characters. */
export const LEAST_SEARCHED = 3
export const MOST_SEARCHED = 200

/** A checked search. */
export interface SearchQuery {
  /** Trimmed text. */
  readonly q: string
  readonly asOf: string | undefined
}

const searched = parameter((given, wrong) => {
  const text = given?.trim() ?? ''
  const { length } = [...text]
  const least = `give at least ${LEAST_SEARCHED} characters of a name, key, address or hash`
  if (length === 0) return wrong(`is missing; ${least}`)
  if (length < LEAST_SEARCHED) return wrong(`is ${quoted(text)}; ${least}`)
  if (length > MOST_SEARCHED) return wrong(`has ${length} characters; the limit is ${MOST_SEARCHED}`)
  return text
})

const schemas = { q: searched, as_of: textParameter }
const check = combineChecks(schemas)

/** Descriptions of the parameters. */
export const searchParameters = {
  q: `A name, a key of a hotspot, the address of an owner, account, gateway or maker, or the hash of a transaction: all of it, or its first ${LEAST_SEARCHED} to ${MOST_SEARCHED} characters. Names may be written in any letter case, with blanks or hyphens.`,
  as_of: 'Id of a snapshot, or an instant; the newest unless given.',
} as const satisfies Readonly<Record<keyof typeof schemas, string>>

/** Checks a search. Errors: `malformed_request` that names every wrong parameter. */
export function searchQuery(raw: RawQuery, refusesUnknown = true): SearchQuery {
  const { values, faults } = check(raw)
  const unknown = refusesUnknown ? unknownParameters(Object.keys(raw), Object.keys(schemas)) : []
  refuse([...unknown, ...faults])
  return { q: values.q ?? '', asOf: values.as_of }
}
