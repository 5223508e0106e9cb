import { type PgTypeName, pgTypes } from '../../../answers/sql/postgres-catalog/pg-types.ts'
import { binaryOf } from './binary.ts'
import { pgText } from './pg-text.ts'

type Elements = readonly (string | null)[]

/** Elements of a list as JSON texts. */
const elementsOf = (json: string) => JSON.parse(json) as Elements

/** Writes a list, given as a JSON array of texts, as an array: `{1,NULL,"a b"}`. */
export function arrayText(type: PgTypeName, json: string): string {
  const written = elementsOf(json).map((element) =>
    element === null ? 'NULL' : quoted(pgText(type, element)),
  )
  return `{${written.join(',')}}`
}

function quoted(text: string): string {
  return text === '' || /[\s{},"\\]/.test(text) || /^null$/i.test(text)
    ? `"${text.replace(/["\\]/g, '\\$&')}"`
    : text
}

/** Writes a list, given as a JSON array of texts, as a binary array with one dimension. */
export function arrayBinary(type: PgTypeName, json: string): Buffer {
  const elements = elementsOf(json)
  const head = Buffer.alloc(elements.length === 0 ? 12 : 20)
  head.writeInt32BE(elements.length === 0 ? 0 : 1, 0)
  head.writeInt32BE(elements.includes(null) ? 1 : 0, 4)
  head.writeInt32BE(pgTypes[type].oid, 8)
  if (elements.length > 0) {
    head.writeInt32BE(elements.length, 12)
    head.writeInt32BE(1, 16)
  }
  const parts = elements.flatMap((element) => {
    const length = Buffer.alloc(4, 0xff)
    if (element === null) return [length]
    const bytes = binaryOf(type, element)
    length.writeInt32BE(bytes.length)
    return [length, bytes]
  })
  return Buffer.concat([head, ...parts])
}
