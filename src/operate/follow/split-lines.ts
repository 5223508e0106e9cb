import { StoreFault } from '../object-store/object-store.ts'

const LINE_FEED = 0x0a

/**
 * Yields the non-empty lines of a response, each decoded when complete.
 * Errors: `StoreFault` for a line of more than `most` bytes; those of the chunks.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  most: number,
  name: string,
): AsyncGenerator<string> {
  let parts: Uint8Array[] = []
  let bytes = 0
  const add = (part: Uint8Array) => {
    bytes += part.length
    if (bytes > most) throw new StoreFault('refused', `${name} sends a log entry of more than ${most} bytes`)
    parts.push(part)
  }
  const take = () => {
    const line = Buffer.concat(parts).toString('utf8')
    parts = []
    bytes = 0
    return line
  }
  for await (const chunk of chunks) {
    let begin = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, begin)) {
      add(chunk.subarray(begin, end))
      begin = end + 1
      const line = take()
      if (line !== '') yield line
    }
    if (begin < chunk.length) add(chunk.subarray(begin))
  }
  const last = take()
  if (last !== '') yield last
}
