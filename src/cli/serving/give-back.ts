import { setImmediate } from 'node:timers/promises'
import { repeatEvery } from '../../base/background.ts'
import { collectGarbage } from '../../base/processes/collect-garbage.ts'

const LOOK_EVERY_MS = 1000
const REST_MS = 5000
/** Share of one core below which the process counts as quiet. */
const QUIET = 0.3
const WORTHWHILE_BYTES = 24 * 2 ** 20

/** Measurements of a process; tests replace them. */
export interface MemoryMeasure {
  /** Resident bytes. */
  rss(): number
  /** Share of one core that the process used since the last call. */
  busy(): number
  now(): number
}

/**
 * Returns a trigger for releasing memory: due if the process is quiet and has grown by 24 MB since the last release, at
 * most every five seconds. Call `done` after each release.
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
    // CPU time instead of event loop utilization, which is high too while other processes use the cores.
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
 * Releases memory after bursts; call the returned function to stop. Neither V8 nor the C library does so while a
 * process is quiet: results of statements stay until a collection, and nothing triggers one.
 */
export function giveBackWhenQuiet(giveBackFreed: () => Promise<void>): () => void {
  const rest = openMemoryTrigger(ofThisProcess())
  const resting = repeatEvery(LOOK_EVERY_MS, 'giving memory back', async () => {
    if (!rest.isDue()) return
    collectGarbage()
    // Memory outside of V8 is released in a later turn.
    await setImmediate()
    await giveBackFreed().finally(rest.done)
  })
  return resting.stop
}
