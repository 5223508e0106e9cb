import type { Kind } from '../catalog/column.ts'
import type { Resource } from '../catalog/resource.ts'
import type { ParamFault } from '../errors.ts'
import { camelCase } from './graphql-fields.ts'
import { filtersOf, type Operation } from './query-schema.ts'

/** An argument of GraphQL that is a filter of REST under another name. */
export interface FilterArgument {
  readonly name: string
  readonly holds: 'text' | 'instant' | 'integer'
  readonly isRequired: boolean
  /** The parameter of REST. */
  readonly param: string
}

const filterKinds: Readonly<Partial<Record<Kind, FilterArgument['holds']>>> = {
  ...{ instant: 'instant', seconds: 'instant' },
  ...{ long: 'integer', whole: 'integer' },
}

/** The filters that an operation of REST takes, as arguments. */
export function filterArguments(resource: Resource, operation: Operation): readonly FilterArgument[] {
  return filtersOf(resource, operation).map(([param, { column, required = false }]) => {
    const holds = filterKinds[resource.columns[column]?.kind ?? 'text'] ?? 'text'
    return { name: camelCase(param), holds, isRequired: required, param }
  })
}

/** The fault with the name of the argument, with which its sentence begins. */
export function inCamelCase({ param, message }: ParamFault): ParamFault {
  const name = camelCase(param)
  return { param: name, message: message.startsWith(param) ? name + message.slice(param.length) : message }
}
