import { type Readable, Transform } from 'node:stream'
import { refuseBatch } from './batch.ts'
import { readMessage } from './message.ts'
import { type RpcError, rpcError } from './rpc-error.ts'

/** A longer line is refused. */
const MOST_BYTES = 10 * 2 ** 20
const LINE_END = 0x0a

interface Initialize {
  readonly params?: { readonly protocolVersion?: unknown } | null
}

/**
 * The messages in `input`, one a line; `refuse` is told the error that answers each line or message that is none. The messages of a batch
 * are passed on one by one, so its replies come one by one too.
 */
export function checkedLines(input: Readable, refuse: (error: RpcError) => void): Transform {
  let parts: Uint8Array[] = []
  let length = 0
  /** Revision that the client has asked for. */
  let revision: unknown

  function add(part: Uint8Array): void {
    length += part.length
    if (length <= MOST_BYTES) parts.push(part)
    else parts = []
  }

  function endLine(lines: Transform): void {
    const text = Buffer.concat(parts).toString('utf8').trim()
    if (length > MOST_BYTES) refuse(rpcError('invalidRequest', `A message has at most ${MOST_BYTES} bytes.`))
    else if (text !== '') passAll(text, lines)
    parts = []
    length = 0
  }

  function passAll(text: string, lines: Transform): void {
    const given = parseLine(text)
    const refusal =
      given === undefined
        ? rpcError('unreadable', 'The line is not JSON. Send one message a line.')
        : refuseBatch(given, revision)
    if (refusal !== undefined) refuse(refusal)
    else for (const message of Array.isArray(given) ? given : [given]) pass(message, lines)
  }

  function pass(given: unknown, lines: Transform): void {
    const read = readMessage(given)
    if ('refused' in read) refuse(read.refused)
    else lines.push(`${JSON.stringify(read.message)}\n`)
    revision = (given as Initialize | null)?.params?.protocolVersion ?? revision
  }

  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0
      for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
        add(chunk.subarray(from, end))
        endLine(this)
        from = end + 1
      }
      add(chunk.subarray(from))
      done()
    },
  })
  return input.pipe(lines)
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
