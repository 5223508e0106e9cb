import type { Question } from './question.ts'

/** The query that an address carries, behind # or, as in older links, behind ?; undefined when it carries none. */
export function questionIn({
  search,
  hash,
}: {
  readonly search: string
  readonly hash: string
}): Question | undefined {
  const given = [hash.slice(1), search].map((text) => new URLSearchParams(text))
  const parameters = given.find((one) => one.has('query'))
  if (parameters === undefined) return undefined
  return {
    query: parameters.get('query') ?? '',
    variables: parameters.get('variables') ?? '',
    operation: parameters.get('operationName') || undefined,
  }
}

/** The fragment (after #) of a link to a query. Browsers do not send it, so no log has it and its length has no limit. */
export function hashOf({ query, variables, operation }: Question): string {
  const given = new URLSearchParams({ query })
  if (variables.trim() !== '') given.set('variables', variables)
  if (operation !== undefined) given.set('operationName', operation)
  return `#${given}`
}
