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

/** The forms of texts that may be null, by what the document shows: generated clients cannot check them, so it has no pattern. */
const forms: Readonly<Record<string, string>> = { '0.0011322': '^[0-9]+\\.[0-9]+$', '0': '^[0-9]+$' }

interface Text {
  readonly type?: unknown
  readonly examples?: readonly string[]
  readonly description?: unknown
}

/** What a text has to match although its schema has no pattern: its form, or one of the names that its description tells. */
function patternOf({ type, examples, description }: Text): string | undefined {
  const names = /Names so far: ([^;]+);/.exec(String(description))?.[1]
  if (names !== undefined) return `^(?:${names.replaceAll(', ', '|')}|-?[0-9]+)$`
  return Array.isArray(type) && type.includes('string') ? forms[examples?.[0] ?? ''] : undefined
}

/** The same schemas with those forms. */
function stricter(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stricter)
  if (typeof value !== 'object' || value === null) return value
  const pattern = patternOf(value)
  const members = Object.entries(value).map(([name, own]) => [name, stricter(own)])
  return { ...Object.fromEntries(members), ...(pattern !== undefined && { pattern }) }
}

/** Checks values against the schemas of an OpenAPI document, by another's code. */
export function schemaCheckOf(document: { readonly components: object }): SchemaCheck {
  // A union names the member that its variants have, so both are looser than the rest.
  const loose = { strictTypes: false, strictRequired: false } as const
  const ajv = new Ajv2020.default({ strict: true, ...loose, allErrors: true })
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
