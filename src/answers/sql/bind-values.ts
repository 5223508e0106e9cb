import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import type { BoundValues, ConfinedSession } from '../../engine/duckdb/confined/confined-session.ts'
import { isPlainType } from '../../engine/duckdb/sql.ts'

/** Values of parameters as texts, which DuckDB casts to the types of the parameters. */
export type ParameterValues = readonly (string | null)[]

/**
 * Casts the values of parameters to their types.
 * Errors: `malformed_request` that names the parameter, its value and its type; the reason of the signal.
 */
export async function bindValues(
  session: Pick<ConfinedSession, 'castText'>,
  types: readonly string[],
  values: ParameterValues = [],
  signal?: AbortSignal,
): Promise<BoundValues> {
  if (values.length !== types.length)
    refuse(
      `The statement has ${counted(types.length, 'parameter')}, and ${counted(values.length, 'value')} ${values.length === 1 ? 'is' : 'are'} given.`,
    )
  const bound: BoundValues[] = []
  for (const [index, type] of types.entries()) {
    refuseNested(type, index)
    const value = values[index] ?? null
    const cast = session.castText(value, type, signal).catch((cause) => {
      signal?.throwIfAborted()
      return refuse(
        `Parameter $${index + 1} is ${quoted(String(value))}; expected a value of the type ${type}.`,
        cause,
      )
    })
    bound.push(await cast)
  }
  return { values: bound.flatMap((one) => one.values), types: bound.flatMap((one) => one.types) }
}

/** Refuses a nested type, since the names of its members could contain SQL. Errors: `malformed_request`. */
export function refuseNested(type: string, index: number): void {
  if (!isPlainType(type))
    refuse(
      `Parameter $${index + 1} has the type ${type.slice(0, 80)}; use a type without members, such as VARCHAR, and cast it in the statement.`,
    )
}

function refuse(sentence: string, cause?: unknown): never {
  return fail('malformed_request', sentence, { cause })
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
