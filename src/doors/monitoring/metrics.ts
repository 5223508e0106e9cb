import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { noteFailure } from '../../base/background.ts'
import { send } from '../reply/representation.ts'
import { lakeMeasures } from './measures/lake-measures.ts'
import type { Counted, Measure, Measured } from './measures/measure.ts'
import { syncMeasures } from './measures/sync-measures.ts'
import { workMeasures } from './measures/work-measures.ts'
import type { GatherMetrics } from './whole-metrics.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes written to the connection before this request. */
    writtenBefore: number
  }
}

/** prom-client looks up labels in a third of the time if responses are counted in batches. */
const MOST_PENDING = 256

/**
 * Shared by all servers of the process. Excludes gauges with the suffix `_total`, which belongs to counters; the labelled
 * gauges add up to the same.
 */
let processMetrics: Registry | undefined

function metricsOfProcess(): Registry {
  if (processMetrics === undefined) {
    processMetrics = new Registry()
    collectDefaultMetrics({ register: processMetrics })
    for (const kind of ['handles', 'requests', 'resources'])
      processMetrics.removeSingleMetric(`nodejs_active_${kind}_total`)
  }
  return processMetrics
}

/** A metric in the reference documentation. */
export interface MetricLine {
  readonly name: string
  readonly type: string
  readonly labels: readonly string[]
  readonly help: string
}

export interface Metrics {
  readonly count: (reply: Counted) => void
  /** The text format of Prometheus. */
  text(): Promise<string>
  readonly contentType: string
  /** Lists the metrics for the reference. */
  describe(): readonly MetricLine[]
}

/** Counts requests with duration and bytes, and collects the measures on each scrape. */
export function openMetrics(measured: Measured, gather?: GatherMetrics): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const ofProcess = metricsOfProcess()
  const whole = () => Registry.merge([registry, ofProcess])
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
  const bytes = new Counter({
    name: 'ledgerlake_reply_bytes_total',
    help: 'Bytes written to callers, headers included, by route.',
    labelNames,
    registers,
  })
  for (const measure of measures) register(measure, measured, registers)
  const pending: Counted[] = []
  function settle(): void {
    const alike = new Map<string, { readonly reply: Counted; replies: number; bytes: number }>()
    for (const reply of pending.splice(0)) {
      const { method, route, status } = reply
      seconds.observe({ method, route }, reply.seconds)
      const name = `${status} ${method} ${route}`
      const previous = alike.get(name)
      if (previous === undefined) alike.set(name, { reply, replies: 1, bytes: reply.bytes })
      else {
        previous.replies += 1
        previous.bytes += reply.bytes
      }
    }
    for (const { reply, replies, bytes: sent } of alike.values()) {
      const { method, route, status } = reply
      requests.inc({ method, route, status }, replies)
      bytes.inc({ method, route }, sent)
    }
  }
  const settled = () => {
    settle()
    return whole()
  }
  return {
    count(reply) {
      if (pending.push(reply) === MOST_PENDING) settle()
    },
    text: gather?.(() => settled().getMetricsAsJSON()) ?? (() => settled().metrics()),
    contentType: registry.contentType,
    describe() {
      const metrics = [...registry.getMetricsAsArray(), ...ofProcess.getMetricsAsArray()]
      return metrics.map((metric) => lineOf(metric as unknown as MetricOfLibrary))
    },
  }
}

const measures: readonly Measure[] = [...lakeMeasures, ...workMeasures, ...syncMeasures]

function register(
  { name, help, labels, samples, aggregator }: Measure,
  measured: Measured,
  registers: Registry[],
): void {
  const Metric = name.endsWith('_total') ? Counter : Gauge
  const metric: Counter | Gauge = new Metric({
    ...{ name, help, labelNames: labels, registers, aggregator },
    /** A measure that fails has no samples. */
    async collect() {
      const collected = await samples(measured).catch((error: unknown) => {
        noteFailure(`measuring ${name}`, error)
        return []
      })
      metric.reset()
      for (const [value, ...texts] of collected)
        metric.inc(Object.fromEntries(labels.map((label, place) => [label, texts[place] ?? ''])), value)
    },
  })
}

/** Members that the types of prom-client lack. */
interface MetricOfLibrary {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
}

function lineOf(metric: MetricOfLibrary): MetricLine {
  const { name, help, labelNames: labels } = metric
  return { name, help, labels, type: metric.constructor.name.toLowerCase() }
}

/** Counts every response. */
export function countReplies(server: FastifyInstance, { count }: Metrics): void {
  server.decorateRequest('writtenBefore', 0)
  // Responses of one connection are sent in order, so the difference belongs to one request.
  server.addHook('onRequest', (request, _reply, done) => {
    request.writtenBefore = request.raw.socket.bytesWritten
    done()
  })
  server.addHook('onResponse', ({ method, routeOptions, raw: { socket }, writtenBefore }, reply, done) => {
    const { statusCode: status, elapsedTime } = reply
    const bytes = socket.bytesWritten - writtenBefore || Number(reply.getHeader('content-length') ?? 0)
    count({ method, route: routeOptions.url ?? 'none', status, seconds: elapsedTime / 1000, bytes })
    done()
  })
}

/** Adds `/metrics`; `options` restrict access. */
export function addMetricsRoute(
  server: FastifyInstance,
  { text, contentType }: Metrics,
  options: RouteShorthandOptions,
): void {
  server.get('/metrics', options, async (_request, reply) =>
    send(reply, { type: contentType, body: await text() }),
  )
}
