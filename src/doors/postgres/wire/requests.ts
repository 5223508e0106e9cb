import { Fields } from './fields.ts'
import type { Frame } from './frames.ts'
import { refuseMessage } from './postgres-error.ts'

/** A statement or a portal, by its name. */
interface Named {
  readonly what: 'statement' | 'portal'
  readonly name: string
}

/** A message of a client after its login. Source: PostgreSQL, "Message Formats". */
export type Request =
  | { readonly type: 'query'; readonly text: string }
  | { readonly type: 'parse'; readonly name: string; readonly text: string; readonly oids: readonly number[] }
  | BindRequest
  | ({ readonly type: 'describe' } & Named)
  | ({ readonly type: 'close' } & Named)
  | { readonly type: 'execute'; readonly portal: string; readonly rows: number }
  | { readonly type: 'sync' | 'flush' | 'terminate' | 'call' | 'data' }

export interface BindRequest {
  readonly type: 'bind'
  readonly portal: string
  readonly statement: string
  /** Formats of the values: none, one for all, or one each; true for binary. */
  readonly formats: readonly boolean[]
  readonly values: readonly (Buffer | null)[]
  readonly resultFormats: readonly boolean[]
}

/** Reads a message. Errors: 08P01. */
export function readRequest({ type, body }: Frame): Request {
  const fields = new Fields(body)
  const request = requestOf(type, fields)
  fields.end()
  return request
}

function requestOf(type: string, fields: Fields): Request {
  switch (type) {
    case 'Q':
      return { type: 'query', text: fields.text() }
    case 'P':
      return {
        type: 'parse',
        name: fields.text(),
        text: fields.text(),
        oids: fields.list(() => fields.uint32()),
      }
    case 'B':
      return {
        type: 'bind',
        portal: fields.text(),
        statement: fields.text(),
        formats: fields.list(() => formatOf(fields)),
        values: fields.list(() => fields.value()),
        resultFormats: fields.list(() => formatOf(fields)),
      }
    case 'D':
      return { type: 'describe', ...namedOf(fields) }
    case 'C':
      return { type: 'close', ...namedOf(fields) }
    case 'E':
      return { type: 'execute', portal: fields.text(), rows: fields.int32() }
    case 'S':
      return { type: 'sync' }
    case 'H':
      return { type: 'flush' }
    case 'X':
      return { type: 'terminate' }
    case 'F':
      fields.rest()
      return { type: 'call' }
    case 'p':
      return refuseMessage('A password arrived after the login.')
    default:
      fields.rest()
      return { type: 'data' }
  }
}

function formatOf(fields: Fields): boolean {
  const format = fields.int16()
  if (format !== 0 && format !== 1)
    refuseMessage(`There is no format ${format}; use 0 for text or 1 for binary.`)
  return format === 1
}

function namedOf(fields: Fields): Named {
  const kind = fields.character()
  if (kind !== 'S' && kind !== 'P')
    refuseMessage(`${JSON.stringify(kind)} is neither S for a statement nor P for a portal.`)
  return { what: kind === 'S' ? 'statement' : 'portal', name: fields.text() }
}
