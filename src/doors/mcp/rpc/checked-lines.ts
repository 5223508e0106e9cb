import { type Readable, Transform } from 'node:stream'
import { isMembers } from '../../../lake/log/log-actions.ts'
import { refuseBatch } from './batch.ts'
import { readMessage } from './message.ts'
import { type RpcError, rpcError } from './rpc-error.ts'

const MOST_BYTES = 10 * 2 ** 20
const LINE_END = 0x0a

/**
 * Parses JSON-RPC messages, one a line, and passes each error to `refuse`. Messages of a batch are passed on
 * one by one, so their replies come one by one too.
 */
export function checkedLines(input: Readable, refuse: (error: RpcError) => void): Transform {
  let parts: Uint8Array[] = []
  let length = 0
  /** Protocol version that the client requested. */
  let revision: unknown

  function add(part: Uint8Array): void {
    length += part.length
    if (length <= MOST_BYTES) parts.push(part)
    else parts = []
  }

  function endLine(lines: Transform): void {
    const text = Buffer.concat(parts).toString('utf8').trim()
    if (length > MOST_BYTES) refuse(rpcError('invalidRequest', `A message has at most ${MOST_BYTES} bytes.`))
    else if (text !== '') forwardAll(text, lines)
    parts = []
    length = 0
  }

  function forwardAll(text: string, lines: Transform): void {
    const parsed = parseLine(text)
    const refusal =
      parsed === undefined
        ? rpcError('unreadable', 'The line is not JSON. Send one message a line.')
        : refuseBatch(parsed, revision)
    if (refusal !== undefined) refuse(refusal)
    else for (const message of Array.isArray(parsed) ? parsed : [parsed]) forward(message, lines)
  }

  function forward(message: unknown, lines: Transform): void {
    const parsed = readMessage(message)
    if ('refused' in parsed) refuse(parsed.refused)
    else lines.push(`${JSON.stringify(parsed.message)}\n`)
    const params = isMembers(message) && isMembers(message.params) ? message.params : {}
    revision = params.protocolVersion ?? revision
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
