import type { PostgresError } from './postgres-error.ts'

/** A column of a result as clients see it. */
export interface ReplyColumn {
  readonly name: string
  readonly oid: number
  /** Bytes of a value; -1 if they vary. */
  readonly size: number
  readonly modifier: number
  readonly isBinary: boolean
}

/** State of the transaction: none, open, or failed. */
export type TransactionState = 'I' | 'T' | 'E'

const int16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value | 0)
  return bytes
}

/** A text with its zero byte. A zero within would end it. */
const text = (value: string) => Buffer.from(`${value.replaceAll('\0', '')}\0`)

/** A message of the server. */
function message(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  return Buffer.concat([Buffer.from(type, 'latin1'), int32(length), ...parts])
}

/** A value of a row: in the text format, in the binary one, or null. */
export type RowValue = string | Uint8Array | null

/** A row in one buffer, since a buffer for each value takes most of the time of a long result. */
function row(values: readonly RowValue[]): Buffer {
  const lengths = values.map((value) =>
    typeof value === 'string' ? Buffer.byteLength(value) : (value?.length ?? -1),
  )
  const length = lengths.reduce((sum, bytes) => sum + 4 + Math.max(0, bytes), 6)
  const bytes = Buffer.allocUnsafe(1 + length)
  bytes.write('D', 'latin1')
  bytes.writeInt32BE(length, 1)
  let at = bytes.writeUInt16BE(values.length, 5)
  for (const [index, value] of values.entries()) {
    at = bytes.writeInt32BE(lengths[index] ?? -1, at)
    if (typeof value === 'string') at += bytes.write(value, at)
    else if (value !== null) {
      bytes.set(value, at)
      at += value.length
    }
  }
  return bytes
}

/** Messages of the server. Source: PostgreSQL, "Message Formats". */
export const reply = {
  authenticated: () => message('R', int32(0)),
  askPassword: () => message('R', int32(3)),
  askScram: (mechanisms: readonly string[]) =>
    message('R', int32(10), ...mechanisms.map(text), Buffer.alloc(1)),
  continueScram: (words: string) => message('R', int32(11), Buffer.from(words)),
  endScram: (words: string) => message('R', int32(12), Buffer.from(words)),
  protocolVersion: (options: readonly string[]) =>
    message('v', int32(0), int32(options.length), ...options.map(text)),
  parameter: (name: string, value: string) => message('S', text(name), text(value)),
  cancelKey: (id: number, secret: number) => message('K', int32(id), int32(secret)),
  ready: (state: TransactionState) => message('Z', Buffer.from(state)),
  parsed: () => message('1'),
  bound: () => message('2'),
  closed: () => message('3'),
  noData: () => message('n'),
  empty: () => message('I'),
  suspended: () => message('s'),
  complete: (tag: string) => message('C', text(tag)),
  parameters: (oids: readonly number[]) => message('t', int16(oids.length), ...oids.map(int32)),
  columns: (columns: readonly ReplyColumn[]) =>
    message(
      'T',
      int16(columns.length),
      ...columns.map(({ name, oid, size, modifier, isBinary }) =>
        Buffer.concat([
          ...[text(name), int32(0), int16(0), int32(oid)],
          ...[int16(size & 0xffff), int32(modifier), int16(isBinary ? 1 : 0)],
        ]),
      ),
    ),
  row,
  copyOut: (columns: number, isBinary: boolean) => {
    const format = int16(isBinary ? 1 : 0)
    return message(
      'H',
      Buffer.from([isBinary ? 1 : 0]),
      int16(columns),
      ...Array.from({ length: columns }, () => format),
    )
  },
  copyData: (bytes: Uint8Array) => message('d', bytes),
  copyDone: () => message('c'),
  notice: (sqlstate: string, sentence: string) => message('N', ...fault('NOTICE', sqlstate, sentence)),
  error: ({ sqlstate, message: sentence, details: { hint, position, isFatal = false } }: PostgresError) =>
    message(
      'E',
      ...fault(isFatal ? 'FATAL' : 'ERROR', sqlstate, sentence, [
        ...(hint === undefined ? [] : [text(`H${hint}`)]),
        ...(position === undefined ? [] : [text(`P${position}`)]),
      ]),
    ),
}

function fault(
  severity: string,
  sqlstate: string,
  sentence: string,
  more: readonly Buffer[] = [],
): readonly Buffer[] {
  return [
    ...[text(`S${severity}`), text(`V${severity}`), text(`C${sqlstate}`), text(`M${sentence}`)],
    ...more,
    Buffer.alloc(1),
  ]
}
