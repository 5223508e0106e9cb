import { fileURLToPath } from 'node:url'
import { buildProgram, root, run } from './prepare.mjs'

/** Builds, then runs one of the long checks, which no tier contains: npm run test:long -- kills --runs 300 */

const tests = ['connections', 'differential', 'doors', 'flips', 'fuzz', 'holds', 'properties', 'served-flips']

/** The script of each check, and the words before its flags. */
export const longChecks = new Map([
  ...[
    'bucket-lake',
    'clients',
    'postgres-clients',
    'engines',
    'guides',
    'kills',
    'mutations',
    'sync',
    'torture',
    'trino',
  ].map((name) => [name, [name]]),
  ...tests.map((name) => [name, ['random-runs', name]]),
  ['mcp', ['mcp-conformance']],
])

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name = '', ...flags] = process.argv.slice(2)
  const check = longChecks.get(name)
  if (check === undefined) {
    console.error(
      `no check ${name}; use npm run test:long -- NAME, one of ${[...longChecks.keys()].sort().join(', ')}`,
    )
    process.exit(1)
  }
  buildProgram()
  const [script, ...args] = check
  run(process.execPath, ['--import', 'tsx', `${root}scripts/${script}.ts`, ...args, ...flags])
}
