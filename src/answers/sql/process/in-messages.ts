const MESSAGE_CHARACTERS = 1_000_000

/**
 * Splits rows into messages of a million characters plus one row; a chunk of wide rows is too long for one message.
 */
export async function* inMessages<T>(
  chunks: AsyncIterable<readonly T[]>,
  lengthOf: (row: T) => number,
): AsyncGenerator<readonly T[]> {
  for await (const chunk of chunks) {
    let message: T[] = []
    let characters = 0
    for (const row of chunk) {
      message.push(row)
      characters += lengthOf(row)
      if (characters < MESSAGE_CHARACTERS) continue
      yield message
      message = []
      characters = 0
    }
    if (message.length > 0) yield message
  }
}
