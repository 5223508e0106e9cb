import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { program, runToEnd, startServing } from '../bench/support/program.ts'
import { temporaryFolder } from '../bench/support/temporary-folder.ts'

/**
 * Runs the public conformance suite of the Model Context Protocol against a server, once for each revision: npm run test:long -- mcp. The suite and
 * the Node that it needs come from npm. Exit code 1 when a check fails that mcp-expected-failures.yml does not explain, or one passes that it does.
 */

const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const node = 'node@22.23.3'
const revisions = ['2025-06-18', '2025-11-25', '2026-07-28']
const repository = fileURLToPath(new URL('..', import.meta.url))

const lake = `${temporaryFolder()}/lake`
await runToEnd([program, 'ingest', `${repository}test/fixtures/small`, '--lake', lake])
const { address, stop } = await startServing([program, 'serve', '--lake', lake, '--port', '0'])
for (const revision of revisions) {
  const flags = ['--url', `${address}/mcp`, '--suite', 'all', '--spec-version', revision]
  const expected = ['--expected-failures', `${repository}scripts/mcp-expected-failures.yml`]
  const fetched = ['--yes', '--package', node, '--package', suite, '--', 'conformance', 'server']
  const { stdout, stderr, status } = spawnSync('npx', [...fetched, ...flags, ...expected], {
    encoding: 'utf8',
  })
  const summary = stdout.slice(stdout.indexOf('=== SUMMARY'))
  // A suite that finds nothing to run is content with it.
  const isAsExpected = status === 0 && !summary.includes('Total: 0 passed')
  console.log(
    `${revision}: ${isAsExpected ? 'as expected' : `not as expected, exit code ${status}`}\n${summary}`,
  )
  if (isAsExpected) continue
  console.error(stderr)
  process.exitCode = 1
}
await stop()
