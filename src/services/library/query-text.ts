/** Writes typed parameters as those of a query string: `perPage: 5` is `per_page=5`. */
export function queryText(query: object): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(query)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [snakeCase(name), parameterText(value)]),
  )
}

export const parameterText = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value))

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
