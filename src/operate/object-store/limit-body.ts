import { StoreFault } from './object-store.ts'

/** Yields the chunks of a body of at most `most` bytes. Errors: `StoreFault` with the sentence `tooLong`; those of the body. */
export async function* limitBody(
  body: AsyncIterable<Uint8Array>,
  most: number,
  tooLong: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > most) throw new StoreFault('refused', tooLong)
    yield chunk
  }
}
