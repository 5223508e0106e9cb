import { parse } from 'node:querystring'
import type { Resource } from '../../src/catalog/resource.ts'
import { type CheckedQuery, querySchema } from '../../src/doors/contract/query-schema.ts'

/** One request, as an address and as the repository takes it. */
export interface Question {
  readonly resource: Resource
  readonly verb: 'list' | 'totals'
  readonly address: string
  readonly query: CheckedQuery
}

export type Parameters = Readonly<Record<string, string>>

/** A request as its address says it, checked as the server would. */
export function ask(resource: Resource, verb: Question['verb'], parameters: Parameters): Question {
  const text = new URLSearchParams(parameters).toString()
  const path = `/v1/net${resource.rest?.path}${verb === 'totals' ? '/totals' : ''}`
  const query = querySchema(resource, verb)({ ...parse(text) })
  return { resource, verb, address: `${path}?${text}`, query }
}
