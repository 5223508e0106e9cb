import { createReadStream, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { closeOnAbort } from '../../../src/doors/files/download.ts'

/** The pieces of this file, as a reply is made of them; the stream is open until the generator ends. */
function openPieces() {
  // A stream that is left early ends with an error, which is none here.
  const stream = createReadStream(import.meta.filename, { highWaterMark: 64 }).on('error', () => {})
  async function* pieces(): AsyncGenerator<Buffer> {
    for await (const piece of stream) yield piece
  }
  return { stream, pieces: pieces() }
}

describe('a generator with a signal', () => {
  it('closes its source at the abort, even if nothing is being read', async () => {
    const { stream, pieces } = openPieces()
    const gone = new AbortController()
    closeOnAbort(gone.signal, pieces)
    expect((await pieces.next()).value).toHaveLength(64)
    expect(stream.closed).toBe(false)
    const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()))
    gone.abort()
    expect(await pieces.next()).toEqual({ done: true, value: undefined })
    await closed
  })

  it('yields all its pieces without an abort', async () => {
    const { pieces } = openPieces()
    closeOnAbort(new AbortController().signal, pieces)
    const read: Buffer[] = []
    for await (const piece of pieces) read.push(piece)
    expect(Buffer.concat(read).equals(readFileSync(import.meta.filename))).toBe(true)
  })

  it('does not throw an error of its cleanup', async () => {
    const unhandled: unknown[] = []
    const gone = new AbortController()
    async function* pieces() {
      try {
        yield 1
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: what a generator does at its end may fail
        throw new Error('it cannot be closed')
      }
    }
    const own = pieces()
    await own.next()
    const listeners = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', (error) => unhandled.push(error))
    try {
      closeOnAbort(gone.signal, own)
      gone.abort()
      // Rejections that nobody handles are told when the microtasks are over.
      await new Promise((resolve) => setImmediate(resolve))
      expect(unhandled).toEqual([])
      expect(await own.next()).toEqual({ done: true, value: undefined })
    } finally {
      process.removeAllListeners('unhandledRejection')
      for (const listener of listeners) process.on('unhandledRejection', listener)
    }
  })
})
