import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options?: { readonly type: 'minor' }) => void

/** V8 answers a growth of buffers by some megabytes more with collections of all objects. */
const MOST_YOUNG_BYTES = 6 * 2 ** 20

let collect: Collect | undefined
let floor = Number.POSITIVE_INFINITY

/** Collects all garbage, or that of young objects only. */
export const collectGarbage: Collect = (options) => {
  collect ??= exposedCollect()
  collect(options)
}

/**
 * Collects young objects once their buffers have some megabytes; call it between pieces of a stream. Left alone, V8
 * collects all objects instead, and keeps results of the engine, whose memory it does not count.
 */
export function collectYoungBuffers(): void {
  const bytes = bufferBytes()
  floor = Math.min(floor, bytes)
  if (bytes - floor < MOST_YOUNG_BYTES) return
  collectGarbage({ type: 'minor' })
  floor = bufferBytes()
}

const bufferBytes = () => getHeapStatistics().external_memory

function exposedCollect(): Collect {
  setFlagsFromString('--expose-gc')
  const exposed = runInNewContext('gc') as Collect
  // Reset the flag: V8 ignores code compiled under other flags.
  setFlagsFromString('--no-expose-gc')
  return exposed
}
