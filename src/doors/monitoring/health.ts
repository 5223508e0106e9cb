import type { FastifyInstance } from 'fastify'
import { repeatEvery } from '../../base/background.ts'
import { ServiceError } from '../../base/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import { specifiedDialect } from '../dialect/dialect.ts'
import { sendError } from '../reply/error-reply.ts'
import { jsonBody, send } from '../reply/representation.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'

export interface HealthOptions {
  readonly snapshots: ServedSnapshots
  readonly keys: Pick<KeyRing, 'problem'>
  readonly engine?: Pick<Engine, 'ping' | 'isOpening'> | undefined
  readonly isDraining?: () => boolean
}

export type Health = ReturnType<typeof openHealth>

const LOOK_AGAIN_MS = 1000
/** A busy engine answers a ping in milliseconds, and one that hangs is reopened sooner than this. */
const LONGEST_PING_MS = 5000

export function openHealth({ snapshots, keys, engine, isDraining = () => false }: HealthOptions) {
  let engineProblem: string | undefined
  let looked = { at: Number.NEGATIVE_INFINITY, done: Promise.resolve() }
  let isLooking = false

  async function ask(): Promise<void> {
    isLooking = true
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`no answer in ${LONGEST_PING_MS} ms`)),
        LONGEST_PING_MS,
      ).unref()
    })
    try {
      await Promise.race([engine?.ping?.(), tooLong])
      engineProblem = undefined
    } catch {
      engineProblem = 'The engine does not answer.'
    } finally {
      clearTimeout(timer)
      isLooking = false
    }
  }

  function lookNow(): void {
    if (!isLooking) looked = { at: performance.now(), done: ask() }
  }

  return {
    /** Pings the engine, at most once a second. Resolves with the last ping. */
    look(): Promise<void> {
      if (performance.now() - looked.at >= LOOK_AGAIN_MS) lookNow()
      return looked.done
    },
    /** Pings the engine each second, without any request. Returns the function that stops it. */
    keepLooking: (): (() => void) => repeatEvery(LOOK_AGAIN_MS, 'asking the engine', lookNow).stop,
    /** Returns the reason why the server should get no requests; undefined if it is ready. */
    problem(): string | undefined {
      if (isDraining()) return 'The server is about to stop.'
      if (snapshots.current() === undefined) return 'Nothing has been ingested yet.'
      if (snapshots.isBehind()) return 'The lake cannot be read; the log of the server says why.'
      if (keys.problem() !== undefined)
        return 'The key file is missing or damaged; the log of the server says why.'
      if (engine?.isOpening?.() === true) return 'The engine has failed and is being opened anew.'
      return engineProblem
    },
  }
}

/** Adds `/healthz` and `/up` (200 while the process lives) and `/readyz` (200 if it can serve requests). */
export function addHealthRoutes(
  server: FastifyInstance,
  snapshots: ServedSnapshots,
  health: Health,
  basePath: string,
): void {
  for (const url of ['/healthz', '/up']) {
    server.get(url, async (_request, reply) => send(reply, jsonBody({ status: 'ok' })))
  }
  server.get('/readyz', async (_request, reply) => {
    await health.look()
    const problem = health.problem()
    if (problem !== undefined)
      return sendError(new ServiceError('not_ready', problem), reply, { dialect: specifiedDialect, basePath })
    return send(reply, jsonBody({ status: 'ready', snapshot: snapshots.current()?.id ?? null }))
  })
}
