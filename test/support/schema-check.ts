import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Fraction, readExact } from './exact-json.ts'

/**
 * JSON as validators read it: they know doubles only, so an integer beyond 2^53 becomes the last safe one of its sign,
 * and a fraction one half of its sign. What kind of number it is stays as it is.
 */
export function readRounded<T = Record<string, unknown>>(text: string): T {
  return rounded(readExact<unknown>(text)) as T
}

function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const most = BigInt(Number.MAX_SAFE_INTEGER)
    return Number(value > most ? most : value < -most ? -most : value)
  }
  if (value instanceof Fraction) return value.digits.startsWith('-') ? -0.5 : 0.5
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]))
}

export interface SchemaCheck {
  /** What is wrong with a value, a line each; empty when nothing is. */
  faultsOf(schema: object, value: unknown): readonly string[]
}

/** Texts that may be null, whose form generated clients cannot check, so that the document tells it in words only. */
const forms: readonly (readonly [name: RegExp, pattern: string])[] = [
  [/^formatted_/, '^[0-9]+\\.[0-9]+$'],
  [/^(offloaded_bytes|location|.*_fee_paid)$/, '^[0-9]+$'],
]

/** The same schemas with the forms of those texts. */
function stricter(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => stricter(item))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, own]) => [key, stricter(own, key)])
  const type = 'type' in value && Array.isArray(value.type) ? value.type : []
  const [, pattern] = forms.find(([known]) => type.includes('string') && known.test(name)) ?? []
  return { ...Object.fromEntries(members), ...(pattern !== undefined && { pattern }) }
}

/** Checks values against the schemas of an OpenAPI document, by another's code. */
export function schemaCheckOf(document: { readonly components: object }): SchemaCheck {
  const ajv = new Ajv2020.default({ strict: true, allowUnionTypes: true, allErrors: true })
  addFormats.default(ajv)
  ajv.addKeyword('components')
  // What `oneOf` checks already.
  ajv.addKeyword('discriminator')
  const components = stricter(document.components)
  const compiled = new Map<object, ReturnType<typeof ajv.compile>>()
  return {
    faultsOf(schema, value) {
      const check = compiled.get(schema) ?? ajv.compile({ ...schema, components })
      compiled.set(schema, check)
      return check(value)
        ? []
        : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
    },
  }
}
