import { elementsOfText } from '../../../answers/sql/postgres-catalog/array-text.ts'
import { nameOfOid } from '../../../answers/sql/postgres-catalog/pg-types.ts'
import { Fields, textOf } from '../wire/fields.ts'
import { refuse } from '../wire/postgres-error.ts'
import { dayText, instantText, timeText } from './moments.ts'
import { numericText } from './numeric.ts'

/** Types of DuckDB for parameters of a client. */
const duckdbTypes: Readonly<Record<string, string>> = {
  ...{ bool: 'BOOLEAN', bytea: 'BLOB', int8: 'BIGINT', int2: 'SMALLINT', int4: 'INTEGER', oid: 'BIGINT' },
  ...{ float4: 'FLOAT', float8: 'DOUBLE', date: 'DATE', time: 'TIME', timestamp: 'TIMESTAMP', uuid: 'UUID' },
  ...{ timestamptz: 'TIMESTAMP WITH TIME ZONE', interval: 'INTERVAL', text: 'VARCHAR', varchar: 'VARCHAR' },
}

/** Returns the type of DuckDB for a declared parameter; undefined if the statement decides. */
export function parameterTypeOf(oid: number): string | undefined {
  const name = nameOfOid(oid) ?? ''
  const element = duckdbTypes[name.replace('[]', '')]
  return element === undefined || !name.endsWith('[]') ? element : `${element}[]`
}

/**
 * Returns the text of DuckDB for a value of a client.
 * Errors: 22P02, 22P03 or 0A000 names the parameter.
 */
export function parameterText(oid: number, bytes: Buffer, isBinary: boolean, number: number): string {
  const name = nameOfOid(oid) ?? 'text'
  if (isBinary) {
    const text = name.endsWith('[]') ? listOfBinary(bytes) : binaryText(name, bytes)
    return text ?? refuse('22P03', `Parameter $${number} is not of the type ${name} in the binary format.`)
  }
  const text = textOf(bytes)
  if (text.includes('\0')) refuse('22021', `Parameter $${number} contains a NUL character; remove it.`)
  if (name === 'bytea') return blobText(text, number)
  if (!name.endsWith('[]')) return text
  const elements = elementsOfText(text)
  return elements === undefined
    ? refuse('22P02', `Parameter $${number} is not an array of one dimension; write it as {1,2}.`)
    : listText(elements)
}

function binaryText(name: string, bytes: Buffer): string | undefined {
  const sizes: Readonly<Record<string, number>> = {
    ...{ bool: 1, int2: 2, int4: 4, int8: 8, oid: 4, float4: 4, float8: 8, date: 4, time: 8 },
    ...{ timestamp: 8, timestamptz: 8, interval: 16, uuid: 16 },
  }
  const size = sizes[name]
  if (size !== undefined && size !== bytes.length) return undefined
  switch (name) {
    case 'bool':
      return bytes[0] === 0 ? 'false' : 'true'
    case 'int2':
      return String(bytes.readInt16BE())
    case 'int4':
      return String(bytes.readInt32BE())
    case 'oid':
      return String(bytes.readUInt32BE())
    case 'int8':
      return String(bytes.readBigInt64BE())
    case 'float4':
      return String(bytes.readFloatBE())
    case 'float8':
      return String(bytes.readDoubleBE())
    case 'numeric':
      return numericText(bytes)
    case 'bytea':
      return escapedBlob(bytes)
    case 'date':
      return dayText(bytes.readInt32BE())
    case 'time':
      return timeText(bytes.readBigInt64BE())
    case 'timestamp':
      return instantText(bytes.readBigInt64BE())
    case 'timestamptz':
      return `${instantText(bytes.readBigInt64BE())}+00`
    case 'interval':
      return `${bytes.readInt32BE(12)} months ${bytes.readInt32BE(8)} days ${bytes.readBigInt64BE(0)} microseconds`
    case 'uuid':
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    case 'text':
    case 'varchar':
    case 'json':
      return textOf(bytes)
    default:
      return undefined
  }
}

/** Source: PostgreSQL, array_send. */
function listOfBinary(bytes: Buffer): string | undefined {
  const fields = new Fields(bytes)
  const dimensions = fields.int32()
  fields.int32()
  const element = nameOfOid(fields.uint32())
  if (dimensions === 0) return '[]'
  if (dimensions !== 1 || element === undefined) return undefined
  const count = fields.int32()
  fields.int32()
  const texts: (string | null)[] = []
  while (texts.length < count) {
    const value = fields.value()
    const text = value === null ? null : binaryText(element, value)
    if (text === undefined) return undefined
    texts.push(text)
  }
  return listText(texts)
}

const listText = (elements: readonly (string | null)[]) =>
  `[${elements.map((element) => (element === null ? 'NULL' : `'${element.replace(/['\\]/g, '\\$&')}'`)).join(', ')}]`

function blobText(text: string, number: number): string {
  const [, digits] = /^\\x((?:[\da-f]{2})*)$/i.exec(text) ?? []
  return digits === undefined
    ? refuse('22P02', `Parameter $${number} is not a bytea; write it as \\x and hexadecimal digits.`)
    : escapedBlob(Buffer.from(digits, 'hex'))
}

const escapedBlob = (bytes: Buffer) => bytes.toString('hex').replace(/../g, '\\x$&')
