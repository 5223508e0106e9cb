import { resolve } from 'node:path'
import { program, startServing } from '../bench/support/program.ts'
import { type Cost, measureHolds } from '../test/support/holds/measure.ts'
import { openRun } from '../test/support/open-run.ts'

/**
 * Asks a served lake the dearest question of each operation of each door, and prints how long each kept /healthz waiting, what it
 * took, and what the server still did for a client that had left: npm run test:long -- holds --lake DIR. `--program FILE` measures another build.
 * Exit code 1 when one kept /healthz waiting for more than `--most-ms`, 100 by default.
 */

const { values } = openRun({ lake: undefined, program, 'most-ms': '100' })
if (values.lake === undefined)
  throw new Error('--lake is missing; give the folder of a lake that is not served elsewhere')

const server = await startServing([
  ...[resolve(values.program), 'serve', '--lake', resolve(values.lake), '--port', '0', '--workers', '1'],
  ...['--share', '--open-share', '--log-level', 'error', '--answer-memory-mb', '0'],
])
try {
  const costs = await measureHolds(server.address, server.pid)
  process.stdout.write(tableOf(costs))
  if (costs.some(({ healthMs }) => healthMs > Number(values['most-ms']))) process.exitCode = 1
} finally {
  await server.stop()
}

function tableOf(costs: readonly Cost[]): string {
  const head = '| operation | status | ms | CPU ms | /healthz max ms | MB | RSS MB | CPU ms after leaving |'
  const lines = costs.map(({ question, status, ms, cpuMs, healthMs, bytes, rssMb, cpuAfterLeavingMs }) => {
    const group = /group_by=(\w+)/.exec(question.path)?.[1]
    const name = group === undefined ? question.of : `${question.of} by ${group}`
    const numbers = [ms, cpuMs, healthMs].map((one) => one.toFixed(0))
    const sizes = [(bytes / 1e6).toFixed(1), rssMb.toFixed(0), cpuAfterLeavingMs?.toFixed(0) ?? '']
    return `| ${[name, status, ...numbers, ...sizes].join(' | ')} |`
  })
  return `${[head, '|---|---|---|---|---|---|---|---|', ...lines].join('\n')}\n`
}
