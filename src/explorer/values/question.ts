/** The query in the editor. */
export interface Question {
  readonly query: string
  /** JSON text, or blank. */
  readonly variables: string
  /** Name of the operation to execute. */
  readonly operation?: string | undefined
}

/** Returns the body of the request. Variables are inserted as text, so no number loses digits. */
export function bodyOf({ query, variables, operation }: Question): string {
  const members = [
    `"query":${JSON.stringify(query)}`,
    ...(variables.trim() === '' ? [] : [`"variables":${variables.trim()}`]),
    ...(operation === undefined ? [] : [`"operationName":${JSON.stringify(operation)}`]),
  ]
  return `{${members.join(',')}}`
}

/** Returns the query in the fragment of an address, or in the query string of older links; undefined without one. */
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

/**
 * Returns the fragment (after #) of a link to a query. Browsers do not send fragments, so no log contains the query and
 * no limit applies to its length.
 */
export function hashOf({ query, variables, operation }: Question): string {
  const given = new URLSearchParams({ query })
  if (variables.trim() !== '') given.set('variables', variables)
  if (operation !== undefined) given.set('operationName', operation)
  return `#${given}`
}
