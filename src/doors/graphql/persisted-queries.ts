import { quoted, type RawQuery, refuse } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import { camelCase } from '../../base/values/camel-case.ts'
import { type QueryParameters, readGraphqlParameters } from './query-parameters.ts'
import { listArguments } from './schema/connection-arguments.ts'
import type { GraphqlResource } from './schema/graphql-face.ts'
import { graphqlFields } from './schema/graphql-fields.ts'

/** A query with an id: clients send a GET with its variables as parameters. */
export interface PersistedQuery {
  readonly id: string
  /** Reads the variables from a query string. Errors: `malformed_request` that names every wrong parameter. */
  read(raw: RawQuery): QueryParameters
}

/** The largest Int of GraphQL. */
const MOST_INT = 2 ** 31 - 1

/** Creates the query for all flat fields of a list. */
export function persistedQuery(resource: GraphqlResource, id: string): PersistedQuery {
  const { query, fields, unfilled = {} } = resource.graphql
  const taken = Object.entries(listArguments(resource)).map(([name, { type }]) => [name, String(type)])
  const types: Readonly<Record<string, string>> = Object.fromEntries(taken)
  const names = Object.keys(types)
  const declared = names.map((name) => `$${name}: ${types[name]}`).join(', ')
  const given = names.map((name) => `${name}: $${name}`).join(', ')
  const selected = [
    'id',
    ...graphqlFields(resource, fields).map((field) => field.name),
    ...Object.keys(unfilled).map(camelCase),
  ]
  const text =
    `query (${declared}) { ${query}(${given}) { nodes { ${selected.join(' ')} } ` +
    'pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }'
  return {
    id,
    read({ as_of, ...named }) {
      const { asOf } = readGraphqlParameters({ as_of }, [])
      const variables = readVariables(named, types)
      return { query: text, variables, operationName: undefined, asOf, isPersisted: true }
    },
  }
}

/** Reads the variables: names in camelCase or snake_case, numbers as text. */
function readVariables(
  raw: RawQuery,
  types: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const accepted = Object.keys(types)
  const isKnown = (param: string) => accepted.includes(camelCase(param))
  const faults = unknownParameters(
    Object.keys(raw).filter((param) => !isKnown(param)),
    accepted,
  )
  const variables: Record<string, unknown> = {}
  for (const [param, value] of Object.entries(raw).filter(([given]) => isKnown(given))) {
    const name = camelCase(param)
    const wrong = (what: string) => faults.push({ param, message: `${param} ${what}` })
    if (typeof value !== 'string' || Object.hasOwn(variables, name))
      wrong('is given more than once; give it once')
    else if (value.trim() === '') variables[name] = undefined
    else if (types[name] !== 'Int') variables[name] = value
    else if (!/^-?\d+$/.test(value)) wrong(`is ${quoted(value)}; use a whole number`)
    else if (Math.abs(Number(value)) <= MOST_INT) variables[name] = Number(value)
    else wrong(`is ${quoted(value)}; use a whole number up to ${MOST_INT}`)
  }
  refuse(faults)
  return variables
}
