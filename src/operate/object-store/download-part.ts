import { open, rm } from 'node:fs/promises'
import { StoreFault } from './object-store.ts'

/** Receives the missing bytes of a partial file. */
export interface Sink {
  /** Bytes of the file so far. */
  bytes(): number
  /** Errors: `StoreFault` for more bytes than expected. */
  write(chunk: Uint8Array): Promise<void>
}

interface Download {
  /** Path of the partial file. */
  readonly part: string
  /** Name of the file in messages. */
  readonly label: string
  readonly bytes: number
  /** Writes the bytes that the sink lacks. */
  receive(sink: Sink): Promise<void>
  /** Compares the digest; returns a message if it differs. */
  findDamage(): Promise<string | undefined>
}

/** Bytes may be damaged in transit; then the whole file is downloaded again. */
const MOST_TRIES = 3

/**
 * Completes a partial file and compares its digest. Returns the last message if all attempts were damaged.
 * Errors: those of `receive`.
 */
export async function downloadPart(download: Download): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    await complete(download)
    const damage = await download.findDamage()
    if (damage === undefined) return undefined
    await rm(download.part)
    if (attempt === MOST_TRIES) return damage
  }
}

async function complete({ part, label, bytes, receive }: Download): Promise<void> {
  const file = await open(part, 'a')
  try {
    let { size } = await file.stat()
    if (size > bytes) {
      await file.truncate(0)
      size = 0
    }
    await receive({
      bytes: () => size,
      async write(chunk) {
        if (chunk.length > bytes - size)
          throw new StoreFault('passing', `${label} is longer than ${bytes} bytes`)
        await file.appendFile(chunk)
        size += chunk.length
      },
    })
    await file.sync()
  } finally {
    await file.close()
  }
}
