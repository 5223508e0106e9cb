import { latLngToCell } from 'h3-js'
import { identifiersOf } from '../../../src/catalog/identities.ts'
import type { Filter, Resource } from '../../../src/catalog/resource.ts'
import { listedTables } from './question.ts'

/**
 * What doors say of a value that no row has. told: empty, and the value is named as unknown. refused: an error that names
 * what is accepted. empty: no more, since the value is a point in a space of numbers, times or cells.
 */
type Treatment = 'told' | 'refused' | 'empty'

export interface UnknownValue {
  readonly resource: Resource
  readonly filter: string
  /** The parameters of REST that have to be given. */
  readonly given: Readonly<Record<string, string>>
  readonly treatment: Treatment
}

/** In the Pacific, far from any hotspot. */
const emptyCell = latLngToCell(-40, -130, 8)

const wholeRange = { from: '2000-01-01', to: '2100-01-01' }
const emptyRange = { from: '2098-01-01', to: '2099-01-01' }

function noneOf(filter: Filter, { columns }: Resource): readonly [string, Treatment] {
  const { kind, choices } = columns[filter.column] ?? {}
  if (choices !== undefined || filter.names !== undefined) return ['no_such_name', 'refused']
  if (filter.column === 'location_hex') return [emptyCell, 'empty']
  switch (kind) {
    case 'cell':
      return [String(BigInt(`0x${emptyCell}`)), 'empty']
    case 'whole':
    case 'long':
      return ['9000000000000000000', 'empty']
    case 'uuid':
      return ['00000000-0000-4000-8000-00000000dead', 'told']
    default:
      return ['nobody-has-this', 'told']
  }
}

/** A value for each filter of each list that no row of the small network has. */
export const unknownValues: readonly UnknownValue[] = listedTables.flatMap((resource) => {
  const { filters = {}, rest } = resource
  const range = filters.from?.required || rest === undefined ? wholeRange : {}
  return Object.entries(filters).map(([name, filter]): UnknownValue => {
    const isEnd = filter.match === 'atLeast' || filter.match === 'atMost'
    if (isEnd) return { resource, filter: name, given: emptyRange, treatment: 'empty' }
    const [value, treatment] = noneOf(filter, resource)
    return { resource, filter: name, given: { ...range, [name]: value }, treatment }
  })
})

/** Those that name one thing are told, so that a list without them here is a fault of `treatment`. */
export const mustBeTold = ({ resource, filter }: UnknownValue) => identifiersOf(resource).includes(filter)

/** A text that is no time, number or cell, for each filter that is silently empty for a value that no row has. */
export const malformedValues: readonly UnknownValue[] = unknownValues
  .filter(({ treatment }) => treatment === 'empty')
  .map((value) => ({
    ...value,
    given: { ...value.given, [value.filter]: 'nobody-has-this' },
    treatment: 'refused',
  }))
