/** A query as it is typed. */
export interface Question {
  readonly query: string
  /** JSON text, or blank. */
  readonly variables: string
  /** Which of several operations. */
  readonly operation?: string | undefined
}

/** The body of the request. Variables stand in it as they were typed, so none of their numbers is read. */
export function bodyOf({ query, variables, operation }: Question): string {
  const members = [
    `"query":${JSON.stringify(query)}`,
    ...(variables.trim() === '' ? [] : [`"variables":${variables.trim()}`]),
    ...(operation === undefined ? [] : [`"operationName":${JSON.stringify(operation)}`]),
  ]
  return `{${members.join(',')}}`
}
