import { GraphQLScalarType, Kind } from 'graphql'
import { readInstant } from '../../../base/values/instant.ts'
import { Digits, type Json } from '../../../base/values/json-writer.ts'
import type { Scalar } from './graphql-fields.ts'

const ISO_8601 = 'use an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z'

const DIGITS = 'use a whole number, beyond 2^53 as text such as "18446744073709551615"'

const bigIntScalar = new GraphQLScalarType<string, string>({
  name: 'BigInt',
  description: 'A whole number of any size, written as text: "18446744073709551615".',
  specifiedByURL: 'https://www.w3.org/TR/xmlschema-2/#integer',
  serialize: (value) => String(value),
  parseValue(value) {
    if (typeof value === 'string' || Number.isSafeInteger(value)) return String(value)
    throw new TypeError(`It is ${JSON.stringify(value)?.slice(0, 80)}; ${DIGITS}.`)
  },
  // Reads the digits of a literal, never a double.
  parseLiteral(node) {
    if (node.kind === Kind.INT || node.kind === Kind.STRING) return node.value
    throw new TypeError(`It is not a whole number; ${DIGITS}.`)
  },
})

/** Replaces the built-in Float, which would round decimals to a double. */
const floatScalar = new GraphQLScalarType<Json, Json>({
  name: 'Float',
  description: 'A decimal number, written with every digit that the source has.',
  serialize: (value) => (value instanceof Digits ? value : new Digits(String(value))),
})

const instantScalar = new GraphQLScalarType<string, string>({
  name: 'ISO8601DateTime',
  description: `A point in time: 2026-07-01T00:00:00Z. As an argument ${ISO_8601}.`,
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: (value) => String(value),
  parseValue(value) {
    if (typeof value === 'string' && (value.trim() === '' || readInstant(value) !== undefined)) return value
    throw new TypeError(`It is ${JSON.stringify(value)?.slice(0, 80)}; ${ISO_8601}.`)
  },
})

const binaryScalar = new GraphQLScalarType<string, string>({
  name: 'Binary',
  description: 'Bytes, in base64 with padding.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc4648#section-4',
  serialize: (value) => String(value),
})

/** Objects without fixed members, so no selection is possible. */
const jsonScalar = new GraphQLScalarType<Json, Json>({
  name: 'JSON',
  description: 'An object as REST answers it, with every digit.',
  serialize: (value) => value as Json,
})

/** Scalars that the schema adds or replaces, by name. */
export const ownScalars: Readonly<Record<Exclude<Scalar, 'String' | 'Boolean'>, GraphQLScalarType>> = {
  BigInt: bigIntScalar,
  Float: floatScalar,
  ISO8601DateTime: instantScalar,
  Binary: binaryScalar,
  JSON: jsonScalar,
}
