import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { send } from './reply/representation.ts'
import type { ServedSnapshots } from './served-snapshots.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Counts of one route and status; they become labelled metrics only when they are scraped. */
interface Answered {
  readonly method: string
  readonly route: string
  readonly status: number
  count: number
}

/** Shared by all servers of the process. */
let processMetrics: Registry | undefined

function metricsOfProcess(): Registry {
  if (processMetrics === undefined) {
    processMetrics = new Registry()
    collectDefaultMetrics({ register: processMetrics })
  }
  return processMetrics
}

/** Counts a reply; `route` is its pattern, such as `/v1/net/l2/makers/:id`. */
type CountReply = (method: string, route: string, status: number, seconds: number) => void

export interface Metrics {
  readonly count: CountReply
  /** The text format of Prometheus. */
  text(): Promise<string>
  readonly contentType: string
}

/** Requests by route and status, their duration, and the rows that are served. */
export function openMetrics(snapshots: ServedSnapshots): Metrics {
  const own = new Registry()
  const registers = [own]
  const labelNames = ['method', 'route'] as const
  const answered = new Map<string, Answered>()
  new Counter({
    name: 'ledgerlake_requests_total',
    help: 'Requests that were answered, by route and status.',
    labelNames: [...labelNames, 'status'],
    registers,
    collect() {
      this.reset()
      for (const { count, ...labels } of answered.values()) this.inc(labels, count)
    },
  })
  const seconds = new Histogram({
    name: 'ledgerlake_request_seconds',
    help: 'Time from the first byte of a request to the last one of its reply.',
    labelNames,
    buckets: SECONDS,
    registers,
  })
  new Gauge({
    name: 'ledgerlake_rows',
    help: 'Rows of the served snapshot, by table.',
    labelNames: ['table'],
    registers,
    collect() {
      for (const table of snapshots.current()?.tables ?? [])
        this.set({ table: table.resource.name }, table.rows)
    },
  })
  const registry = () => Registry.merge([own, metricsOfProcess()])
  return {
    count(method, route, status, time) {
      const key = `${status} ${method} ${route}`
      const known = answered.get(key)
      if (known === undefined) answered.set(key, { method, route, status, count: 1 })
      else known.count += 1
      seconds.observe({ method, route }, time)
    },
    text: () => registry().metrics(),
    contentType: own.contentType,
  }
}

/** Counts every reply, and serves `/metrics`. */
export function addMetrics(server: FastifyInstance, { count, text, contentType }: Metrics): void {
  server.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    count(method, routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  server.get('/metrics', async (_request, reply) => send(reply, { type: contentType, body: await text() }))
}
