import { StoreFault } from './object-store.ts'

/** Yields the chunks of a body of at most `most` bytes. Errors: `StoreFault` for a longer body; those of the body. */
export async function* limitBody(
  body: AsyncIterable<Uint8Array>,
  most: number,
  what: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > most) throw new StoreFault('refused', `the store sends more than ${most} bytes ${what}`)
    yield chunk
  }
}
