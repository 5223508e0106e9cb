import { join } from 'node:path'
import { expect, it } from 'vitest'
import { program, runToEnd, startServing } from '../../../bench/support/program.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { measureHolds } from './holds/measure.ts'

/** `npm run test:long -- holds` sets these: a lake that nobody else serves, another build, and a limit for /healthz. */
const { HOLDS_LAKE, HOLDS_PROGRAM = program, HOLDS_MOST_MS } = process.env

async function sampleLake(): Promise<string> {
  const folder = await temporaryFolder()
  const [network, lake] = [join(folder, 'network'), join(folder, 'lake')]
  await runToEnd([program, 'sample', '--out', network, '--hotspots', '1500', '--days', '50'])
  await runToEnd([program, 'ingest', network, '--lake', lake])
  return lake
}

it('the most expensive request of each operation delays /healthz by less than a second, and stops soon after a disconnect', async () => {
  const server = await startServing([
    ...[HOLDS_PROGRAM, 'serve', '--lake', HOLDS_LAKE ?? (await sampleLake()), '--port', '0'],
    ...['--workers', '1', '--share', '--open-share', '--log-level', 'error', '--answer-memory-mb', '0'],
  ])
  cleanUp(() => server.stop())
  const costs = await measureHolds(server.address, server.pid)
  if (HOLDS_MOST_MS !== undefined)
    console.table(
      costs.map(({ question: { of, path }, ...cost }) => ({
        operation: [of, /group_by=(\w+)/.exec(path)?.[1]].filter(Boolean).join(' by '),
        ...cost,
      })),
    )
  expect(costs.length).toBeGreaterThan(60)
  const named = (some: typeof costs) => some.map(({ question, status, ms }) => [question.path, status, ms])
  expect(named(costs.filter(({ status }) => status >= 500))).toEqual([])
  expect(named(costs.filter(({ healthMs }) => healthMs > Number(HOLDS_MOST_MS ?? 1000)))).toEqual([])
  expect(named(costs.filter(({ cpuAfterLeavingMs = 0 }) => cpuAfterLeavingMs > 500))).toEqual([])
})
