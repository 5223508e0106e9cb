import { Kind, parse } from 'graphql'

/** The name of the operation in which the cursor is, or else of the first; undefined where there is nothing to choose from. */
export function operationAt(query: string, cursor: number): string | undefined {
  const operations = operationsOf(query)
  if (operations.length < 2) return undefined
  const meant = operations.find(({ from, to }) => from <= cursor && cursor <= to) ?? operations[0]
  return meant?.name
}

/** Where an operation begins; 0 when there is none by that name. */
export function operationOffset(query: string, name: string): number {
  return operationsOf(query).find((one) => one.name === name)?.from ?? 0
}

interface Operation {
  readonly name: string | undefined
  readonly from: number
  readonly to: number
}

/** None where the text cannot be read, which the server is left to say. */
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
