import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { EndsOfPeriods, TableCoverage } from '../repository/coverage.ts'
import type { Coverages } from '../repository/coverages.ts'
import { send } from './reply/representation.ts'
import type { ServedSnapshots } from './served-snapshots.ts'
import type { GatherMetrics } from './whole-metrics.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

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

/** Requests by route and status, their duration, the rows that are served, and how complete they are. */
export function openMetrics(
  snapshots: ServedSnapshots,
  coverages: Coverages,
  gather?: GatherMetrics,
): Metrics {
  const own = new Registry()
  const registers = [own]
  const labelNames = ['method', 'route'] as const
  const requests = new Counter({
    name: 'ledgerlake_requests_total',
    help: 'Requests that were answered, by route and status.',
    labelNames: [...labelNames, 'status'],
    registers,
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
    // All processes serve the same lake.
    aggregator: 'max',
    collect() {
      for (const table of snapshots.current()?.tables ?? [])
        this.set({ table: table.resource.name }, table.rows)
    },
  })
  addCoverage(registers, snapshots, coverages)
  const ofProcess = () => Registry.merge([own, metricsOfProcess()])
  return {
    count(method, route, status, time) {
      requests.inc({ method, route, status })
      seconds.observe({ method, route }, time)
    },
    text: gather?.(() => ofProcess().getMetricsAsJSON()) ?? (() => ofProcess().metrics()),
    contentType: own.contentType,
  }
}

/** Of tables of which it is known; nothing is read when metrics are asked for. */
function addCoverage(registers: Registry[], snapshots: ServedSnapshots, coverages: Coverages): void {
  const gauge = (
    name: string,
    help: string,
    measure: (of: TableCoverage, range: EndsOfPeriods) => number,
  ) => {
    new Gauge({
      ...{ name, help, labelNames: ['table'] as const, registers, aggregator: 'max' as const },
      collect() {
        const at = snapshots.current()
        if (at === undefined) return
        for (const { resource } of at.tables) {
          const [coverage, range] = [coverages.known(resource, at), coverages.span(resource, at)]
          if (coverage && range) this.set({ table: resource.name }, measure(coverage, range))
        }
      },
    })
  }
  gauge(
    'ledgerlake_newest_period_seconds',
    'End of the newest period, in seconds since 1970, by table.',
    ({ newest = 0n }) => Number(newest / 1_000_000n),
  )
  gauge(
    'ledgerlake_missing_periods',
    'Days from the first of a table to the last of any that lack data or one of their files, by table.',
    (coverage, range) => coverage.missing(range).days,
  )
  gauge(
    'ledgerlake_missing_manifests',
    'Days of which a file is in that no manifest names, by table.',
    (coverage, range) => coverage.missing(range).manifests,
  )
}

/** Counts every reply, and serves `/metrics`. */
export function addMetrics(server: FastifyInstance, { count, text, contentType }: Metrics): void {
  server.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    count(method, routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  server.get('/metrics', async (_request, reply) => send(reply, { type: contentType, body: await text() }))
}
