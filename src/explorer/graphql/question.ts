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

/** The title of a query in a list: the name of its first operation, or its first words. */
export function titleOf({ query }: Question): string {
  const text = query.replace(/#.*/g, '').replace(/\s+/g, ' ').trim()
  const name = /\bquery (\w+)/.exec(text)?.[1]
  return name ?? (text.length > 60 ? `${text.slice(0, 60)}…` : text || '(empty)')
}
