import { setTimeout } from 'node:timers/promises'
import { inBackground } from '../background.ts'
import { ServiceError, sentenceOf } from '../errors.ts'
import type { Handlers } from './channel.ts'
import { type RunningWorker, startWorker, type WorkerExit } from './worker.ts'

export interface SuperviseOptions {
  readonly count: number
  /** Handlers of worker requests. */
  readonly handlers: (worker: number) => Handlers
  /** Descriptors that workers inherit. */
  readonly inherited?: readonly number[]
  /** Called when a worker has ended, for any reason. */
  readonly onEnd: (worker: number) => void
  /** Prints a sentence for the operator. */
  readonly say: (sentence: string) => void
  /** Called when no worker is left and none could be started. */
  readonly onNoneLeft: (reason: unknown) => void
  /** Replaced by tests. */
  readonly start?: typeof startWorker
  readonly wait?: (ms: number) => Promise<unknown>
}

/** Running workers, all of them listening. */
export interface Workers {
  /** Lines that a worker prints when it listens. */
  readonly lines: readonly string[]
  /** Running workers, including those that finish their last requests. */
  running(): readonly RunningWorker[]
  /** Replaces the workers one by one. Each ends when its replacement listens and its connections are closed. */
  restart(): Promise<void>
  /** Lets all workers finish their requests, and waits for their exits. */
  stop(): Promise<readonly WorkerExit[]>
}

const QUICK_MS = 10_000
const LONGEST_DELAY_MS = 10_000
const FIRST_DELAY_MS = 100
const MOST_STARTS = 8

interface Slot {
  worker: RunningWorker | undefined
  /** Number of workers in a row that ended soon. */
  quick: number
}

/**
 * Starts all workers at once. Errors: ServiceError with the first reason why a worker cannot listen; then all are
 * stopped.
 */
export async function supervise(options: SuperviseOptions): Promise<Workers> {
  const { count, say, start = startWorker, wait = setTimeout } = options
  const running = new Set<RunningWorker>()
  const listened = new WeakSet<RunningWorker>()
  const slots: Slot[] = Array.from({ length: count }, () => ({ worker: undefined, quick: 0 }))
  let isStopping = false
  let isRestarting = false

  function begin(): RunningWorker {
    const worker = start(options.handlers, options.inherited)
    running.add(worker)
    inBackground('noting the end of a worker', async () => {
      await worker.ended
      running.delete(worker)
      options.onEnd(worker.number)
    })
    return worker
  }

  /** Watches a listening worker, and replaces it when it ends. */
  function watch(slot: Slot, worker: RunningWorker): void {
    const since = performance.now()
    listened.add(worker)
    slot.worker = worker
    inBackground('replacing a worker', async () => {
      const { words } = await worker.ended
      if (isStopping || slot.worker !== worker) return
      slot.worker = undefined
      slot.quick = performance.now() - since < QUICK_MS ? slot.quick + 1 : 0
      say(
        `Worker ${worker.number} (process ${worker.pid}) ended by ${words}; its requests were cut off. Another one is started.`,
      )
      await replace(slot)
    })
  }

  async function replace(slot: Slot): Promise<void> {
    for (let starts = 1; !isStopping && slot.worker === undefined; starts += 1) {
      const earlier = slot.quick + starts - 2
      if (earlier > 0) await wait(Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (earlier - 1)))
      if (isStopping || slot.worker !== undefined) return
      let worker: RunningWorker | undefined
      try {
        worker = begin()
        await worker.ready
        if (slot.worker !== undefined) return retire(worker)
        watch(slot, worker)
      } catch (error) {
        worker?.kill()
        if (starts < MOST_STARTS || isStopping) continue
        const alive = slots.filter(({ worker }) => worker !== undefined).length
        say(
          `A worker could not be started ${starts} times: ${sentenceOf(error)} ${alive} of ${count} are left; SIGHUP tries again.`,
        )
        if (alive === 0) options.onNoneLeft(error)
        return
      }
    }
  }

  async function renew(slot: Slot): Promise<void> {
    const worker = begin()
    await worker.ready.catch((error) => {
      worker.kill()
      throw error
    })
    if (isStopping) return
    const old = slot.worker
    watch(slot, worker)
    if (old !== undefined) await retire(old)
  }

  async function retire(worker: RunningWorker): Promise<void> {
    listened.add(worker)
    await worker.channel.request('retire').catch(() => {})
  }

  const first = slots.map((slot) => ({ slot, worker: begin() }))
  try {
    const lines = await Promise.all(first.map(({ worker }) => worker.ready))
    for (const { slot, worker } of first) watch(slot, worker)
    return {
      lines: lines[0] ?? [],
      running: () => [...running],
      async restart() {
        if (isRestarting || isStopping) return say('Workers are being replaced already.')
        isRestarting = true
        try {
          for (const slot of slots) await renew(slot)
          say(`All ${count} workers were replaced.`)
        } catch (error) {
          say(`A new worker does not start: ${sentenceOf(error)} The others go on.`)
        } finally {
          isRestarting = false
        }
      },
      async stop() {
        isStopping = true
        const listening = [...running].filter((worker) => listened.has(worker))
        // Workers that do not listen yet have no requests.
        for (const worker of running) if (!listened.has(worker)) worker.kill()
        for (const { channel } of listening) channel.request('stop').catch(() => {})
        return await Promise.all(listening.map(({ ended }) => ended))
      },
    }
  } catch (error) {
    isStopping = true
    for (const worker of running) worker.kill()
    await Promise.all(first.map(({ worker }) => worker.ended))
    throw error instanceof ServiceError ? error : new ServiceError('internal', sentenceOf(error))
  }
}
