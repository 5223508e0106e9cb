/** Small enough for a slow reader to receive within seconds. */
const PIECE_BYTES = 65_536

/** Splits bytes into pieces of at most 64 KiB, and joins small ones. */
export async function* inPieces(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let pending: Uint8Array[] = []
  let length = 0
  const take = () => {
    const [only] = pending
    const bytes = only !== undefined && pending.length === 1 ? only : Buffer.concat(pending)
    pending = []
    length = 0
    return bytes
  }
  for await (const chunk of chunks)
    for (let first = 0; first < chunk.length; first += PIECE_BYTES) {
      const piece = chunk.subarray(first, first + PIECE_BYTES)
      if (length > 0 && length + piece.length > PIECE_BYTES) yield take()
      pending.push(piece)
      length += piece.length
    }
  if (length > 0) yield take()
}
