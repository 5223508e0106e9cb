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
  const found = given.find((one) => one.has('query'))
  if (found === undefined) return undefined
  return {
    query: found.get('query') ?? '',
    variables: found.get('variables') ?? '',
    operation: found.get('operationName') || undefined,
  }
}

/** What stands behind # of a link to a query; browsers do not send it, so no log has it and no length is too long. */
export function hashOf({ query, variables, operation }: Question): string {
  const given = new URLSearchParams({ query })
  if (variables.trim() !== '') given.set('variables', variables)
  if (operation !== undefined) given.set('operationName', operation)
  return `#${given}`
}
