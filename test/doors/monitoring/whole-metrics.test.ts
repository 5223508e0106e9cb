import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { openWholeMetrics, type Samples } from '../../../src/doors/monitoring/whole-metrics.ts'

/** Samples of a process that answered so many requests of an instant each, and serves so many rows. */
async function samplesOf(requests: number, rows: number): Promise<Samples> {
  const registry = new Registry()
  const registers = [registry]
  new Counter({ name: 'requests_total', help: 'h', labelNames: ['status'], registers }).inc(
    { status: 200 },
    requests,
  )
  const seconds = new Histogram({ name: 'seconds', help: 'h', buckets: [1], registers })
  for (let count = 0; count < requests; count += 1) seconds.observe(0.5)
  new Gauge({ name: 'rows', help: 'h', aggregator: 'max', registers }).set(rows)
  // As they arrive from another process.
  return JSON.parse(JSON.stringify(await registry.getMetricsAsJSON()))
}

const numbersIn = (text: string) => text.split('\n').filter((line) => !line.startsWith('#') && line !== '')

it('counters are summed over all processes, including ended processes', async () => {
  const whole = openWholeMetrics()
  whole.keep(1, await samplesOf(3, 10))
  whole.keep(2, await samplesOf(4, 12))
  whole.keep(2, await samplesOf(5, 12))
  const expected = (requests: number, rows: readonly string[]) => [
    `requests_total{status="200"} ${requests}`,
    `seconds_bucket{le="1"} ${requests}`,
    `seconds_bucket{le="+Inf"} ${requests}`,
    `seconds_sum ${requests / 2}`,
    `seconds_count ${requests}`,
    ...rows,
  ]
  expect(numbersIn(await whole.text())).toEqual(expected(8, ['rows 12']))
  await whole.end(2)
  expect(numbersIn(await whole.text())).toEqual(expected(8, ['rows 10']))
  await whole.end(1)
  await whole.end(7)
  expect(numbersIn(await whole.text())).toEqual(expected(8, []))
  whole.keep(3, await samplesOf(1, 11))
  whole.keep(4, await samplesOf(2, 11))
  expect(numbersIn(await whole.text())).toEqual(expected(11, ['rows 11']))
  // Two that end at once.
  const ends = [whole.end(3), whole.end(4)]
  expect(numbersIn(await whole.text())).toEqual(expected(11, ['rows 11']))
  await Promise.all(ends)
  expect(numbersIn(await whole.text())).toEqual(expected(11, []))
})
