import type { Schema } from './schema.ts'

/** Form of 64-bit integers in a document: numbers, or the text of `integers=string`. */
export type IntegerForm = 'number' | 'string'

/** long: 64 bits with a sign. whole: from 0 to 2^63 - 1. amount: from 0 to 2^64 - 1. sum: from 0, of any size. cut: of any size. */
export type IntegerRange = 'long' | 'whole' | 'amount' | 'sum' | 'cut'

const notes: Readonly<Partial<Record<IntegerRange, string>>> = {
  amount: 'Unsigned: up to 18446744073709551615 (2^64 - 1).',
  sum: 'Of any size, also beyond 64 bits.',
  cut: 'Of any size.',
}

const isSigned = (range: IntegerRange) => range === 'long' || range === 'cut'

/** Schema of an integer that `integers=string` turns into text. The format is always `int64`: generators know no wider one and default to 32 bits. */
export function integerSchema(form: IntegerForm, range: IntegerRange): Schema {
  const note = notes[range]
  return {
    ...(form === 'number' ? { type: 'integer', format: 'int64' } : digits(isSigned(range))),
    ...(form === 'number' && !isSigned(range) && { minimum: 0 }),
    ...(note !== undefined && { description: note }),
  }
}

function digits(signed: boolean): Schema {
  return { type: 'string', pattern: signed ? '^-?[0-9]+$' : '^[0-9]+$', examples: ['0'] }
}
