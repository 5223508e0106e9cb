import { type Readable, Transform } from 'node:stream'
import { readMessage } from './message.ts'
import { type RpcError, rpcError } from './rpc-error.ts'

/** A longer line is refused. */
const MOST_BYTES = 10 * 2 ** 20
const LINE_END = 0x0a

/** The lines of `input` that hold a message; `refuse` is told the error that answers each of the others. */
export function checkedLines(input: Readable, refuse: (error: RpcError) => void): Transform {
  let parts: Uint8Array[] = []
  let length = 0

  function add(part: Uint8Array): void {
    length += part.length
    if (length <= MOST_BYTES) parts.push(part)
    else parts = []
  }

  function endLine(lines: Transform): void {
    const text = Buffer.concat(parts).toString('utf8').trim()
    if (length > MOST_BYTES) refuse(rpcError('invalidRequest', `A message has at most ${MOST_BYTES} bytes.`))
    else if (text !== '') pass(text, lines)
    parts = []
    length = 0
  }

  function pass(text: string, lines: Transform): void {
    const read = readLine(text)
    if ('refused' in read) refuse(read.refused)
    else lines.push(`${JSON.stringify(read.message)}\n`)
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

function readLine(text: string): ReturnType<typeof readMessage> {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return { refused: rpcError('unreadable', 'The line is not JSON. Send one message a line.') }
  }
  return readMessage(given)
}
