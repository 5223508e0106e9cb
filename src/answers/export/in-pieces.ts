/** Small enough for a slow reader to receive within seconds. */
const PIECE_BYTES = 65_536

/** Splits bytes into pieces of 64 KiB; the last may be smaller. */
export async function* inPieces(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let pending: readonly Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    pending = [...pending, chunk]
    length += chunk.length
    if (length < PIECE_BYTES) continue
    const bytes = pending.length === 1 ? chunk : Buffer.concat(pending)
    const whole = length - (length % PIECE_BYTES)
    for (let first = 0; first < whole; first += PIECE_BYTES) yield bytes.subarray(first, first + PIECE_BYTES)
    pending = [bytes.subarray(whole)]
    length -= whole
  }
  if (length > 0) yield Buffer.concat(pending)
}
