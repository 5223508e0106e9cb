import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { repeatEvery } from '../../base/background.ts'

const LOOK_EVERY_MS = 1000
const REST_MS = 5000
/** Of the time of one core, what the process may take to count as quiet. */
const QUIET = 0.3
const WORTHWHILE_BYTES = 24 * 2 ** 20

/** Measurements of a process; tests replace them. */
export interface MemoryMeasure {
  /** Resident bytes. */
  rss(): number
  /** The part of the time of one core that the process has taken since the last call. */
  busy(): number
  now(): number
}

/**
 * Says when to give memory back: when the process is quiet and has much more than after the last time, at most every five
 * seconds. `done` is told once it was.
 */
export function openMemoryTrigger({ rss, busy, now }: MemoryMeasure): { isDue(): boolean; done(): void } {
  let floor = rss()
  let last = Number.NEGATIVE_INFINITY
  return {
    isDue() {
      floor = Math.min(floor, rss())
      return busy() < QUIET && rss() - floor >= WORTHWHILE_BYTES && now() - last >= REST_MS
    },
    done() {
      floor = rss()
      last = now()
    },
  }
}

function ofThisProcess(): MemoryMeasure {
  let before = { at: performance.now(), ...process.cpuUsage() }
  return {
    rss: () => process.memoryUsage.rss(),
    // Not by the event loop, which is busy too while others have the cores.
    busy() {
      const now = { at: performance.now(), ...process.cpuUsage() }
      const micros = now.user + now.system - before.user - before.system
      const part = micros / 1000 / Math.max(1, now.at - before.at)
      before = now
      return part
    },
    now: () => performance.now(),
  }
}

/**
 * Gives memory back after bursts, until the function that is returned is called. Neither V8 nor the C library does so by itself
 * while a process is quiet: results of statements are kept until a collection, which nothing asks for then.
 */
export function giveBackWhenQuiet(giveBackFreed: () => Promise<void>): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // Code that was compiled under other flags is not used.
  setFlagsFromString('--no-expose-gc')
  const rest = openMemoryTrigger(ofThisProcess())
  const resting = repeatEvery(LOOK_EVERY_MS, 'giving memory back', async () => {
    if (!rest.isDue()) return
    collect()
    // Memory outside of V8 is freed in a later turn.
    await setImmediate()
    await giveBackFreed().finally(rest.done)
  })
  return resting.stop
}
