import {
  type GraphQLFieldConfigArgumentMap,
  GraphQLInt,
  GraphQLNonNull,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql'
import type { ParamFault } from '../../../base/errors.ts'
import { type RawQuery, refuse } from '../../../base/parameter-text.ts'
import type { Kind } from '../../../catalog/column.ts'
import type { ConnectionRequest } from '../../../catalog/query/connection.ts'
import { readCursor } from '../../../catalog/query/cursor.ts'
import { MOST_NODES } from '../../contract/page-parameters.ts'
import type { Capped } from '../request/context.ts'
import { argumentsSchema, type CheckedArguments, rangeOfArguments } from './graphql-arguments.ts'
import type { GraphqlResource } from './graphql-face.ts'
import { dayArguments, meaningOf } from './graphql-filters.ts'
import { ownScalars } from './scalars.ts'

const pagingArguments: GraphQLFieldConfigArgumentMap = {
  first: {
    type: GraphQLInt,
    description: `Rows from the start, at most ${MOST_NODES}, which is the default.`,
  },
  after: { type: GraphQLString, description: 'Only rows after the one of this cursor.' },
  last: {
    type: GraphQLInt,
    description: `Rows from the end, at most ${MOST_NODES}; with first, the last of those.`,
  },
  before: { type: GraphQLString, description: 'Only rows before the one of this cursor.' },
}

const argumentTypes: Readonly<Partial<Record<Kind, GraphQLScalarType>>> = {
  ...{ instant: ownScalars.ISO8601DateTime, seconds: ownScalars.ISO8601DateTime },
  ...{ long: ownScalars.BigInt, whole: ownScalars.BigInt, cell: ownScalars.BigInt },
}

export interface PagingArguments {
  readonly first?: number | null
  readonly last?: number | null
  readonly after?: string | null
  readonly before?: string | null
}

/** Returns the arguments of a list: filters and paging. */
export function listArguments(resource: GraphqlResource): GraphQLFieldConfigArgumentMap {
  const { filters = {}, columns, graphql } = resource
  const named = Object.entries(graphql.arguments).map(([argument, { filter, required }]) => {
    const declared = filters[filter]
    const type = argumentTypes[columns[declared?.column ?? '']?.kind ?? 'text'] ?? GraphQLString
    return [argument, { type: required ? new GraphQLNonNull(type) : type, description: declared?.doc }]
  })
  const days = rangeOfArguments(resource, graphql.arguments) === undefined ? [] : dayArguments
  const ofDays = days.map(({ name, param }) => [
    name,
    { type: GraphQLString, description: meaningOf(resource, param) },
  ])
  return { ...Object.fromEntries([...named, ...ofDays]), ...pagingArguments }
}

/** Reads the arguments of a list. Errors: `malformed_request` that names every fault. */
export type ReadList = (
  given: PagingArguments & RawQuery,
) => Pick<CheckedArguments, 'filters' | 'days'> & { readonly paging: ConnectionRequest }

export function listReader(resource: GraphqlResource): ReadList {
  const check = argumentsSchema(resource, resource.graphql.arguments)
  return (given) => {
    const { faults, ...checked } = check(nonNullFilters(given))
    const paging = readPaging(resource, given)
    refuse([...faults, ...paging.faults])
    return { ...checked, paging: paging.request }
  }
}

/** Returns the filters with a value; null counts as absent. */
function nonNullFilters(given: Readonly<Record<string, unknown>>): RawQuery {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as RawQuery
}

/** Lists paging arguments beyond the limit of one response; `path` is the response name of the field. */
export function cappedIn(given: PagingArguments, path: string): readonly Capped[] {
  return (['first', 'last'] as const).flatMap((argument) => {
    const count = given[argument] ?? 0
    if (count <= MOST_NODES) return []
    const message = `${argument} is ${count}; one reply holds ${MOST_NODES} nodes, and pageInfo says how to go on`
    return [{ path, argument, asked: count, served: MOST_NODES, message }]
  })
}

interface Paging {
  readonly request: ConnectionRequest
  readonly faults: readonly ParamFault[]
}

/** Reads the paging arguments and their faults: negative numbers, and cursors of another list. */
function readPaging(resource: GraphqlResource, given: PagingArguments): Paging {
  const faults: ParamFault[] = []
  const blame = (param: string, what: string) => {
    faults.push({ param, message: `${param} is ${what}` })
    return undefined
  }
  const rows = (param: 'first' | 'last') => {
    const count = given[param] ?? undefined
    if (count !== undefined && count < 0) return blame(param, `${count}; use a whole number, 0 or more`)
    return count === undefined ? undefined : Math.min(count, MOST_NODES)
  }
  const cursorIn = (param: 'after' | 'before') => {
    const cursor = given[param] ?? ''
    if (cursor.trim() === '') return undefined
    const shown = JSON.stringify(cursor.length > 80 ? `${cursor.slice(0, 80)}…` : cursor)
    return (
      readCursor(resource, cursor) ??
      blame(param, `${shown}; use a cursor from a reply of ${resource.graphql.query}`)
    )
  }
  const [first, last] = [rows('first'), rows('last')]
  const request = {
    first: first === undefined && last === undefined ? MOST_NODES : first,
    last,
    after: cursorIn('after'),
    before: cursorIn('before'),
  }
  return { request, faults }
}
