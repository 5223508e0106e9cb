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
