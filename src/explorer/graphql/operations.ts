import { Kind, parse } from 'graphql'

/**
 * Returns the name of the operation under the cursor, otherwise of the first one; undefined with fewer than two
 * operations.
 */
export function operationAt(query: string, cursor: number): string | undefined {
  const operations = operationsOf(query)
  if (operations.length < 2) return undefined
  const meant = operations.find(({ from, to }) => from <= cursor && cursor <= to) ?? operations[0]
  return meant?.name
}

/** Returns the offset of an operation; 0 if no operation has this name. */
export function operationOffset(query: string, name: string): number {
  return operationsOf(query).find((one) => one.name === name)?.from ?? 0
}

interface Operation {
  readonly name: string | undefined
  readonly from: number
  readonly to: number
}

/** Returns nothing for an invalid query; the server reports the error. */
function operationsOf(query: string): readonly Operation[] {
  try {
    return parse(query).definitions.flatMap((one) =>
      one.kind === Kind.OPERATION_DEFINITION
        ? [{ name: one.name?.value, from: one.loc?.start ?? 0, to: one.loc?.end ?? 0 }]
        : [],
    )
  } catch {
    return []
  }
}
