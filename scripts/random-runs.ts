import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * Runs a slow test for longer, or over data of one's own: npm run test:long -- doors --count 2000 --seed 1
 * The test reads each flag from a variable of the environment. A failure names its seed. `--only TEXT`: tests whose title has the text.
 */

interface LongRun {
  readonly test: string
  /** Variable and default of each flag; null sets nothing, and without a default the seed is random. */
  readonly flags: Readonly<Record<string, readonly [variable: string, usual?: string | null]>>
}

const runs: Readonly<Record<string, LongRun>> = {
  connections: {
    test: 'test/doors/http/slow-connections.slow.test.ts',
    flags: { count: ['CONNECTIONS', '2000'], 'timeout-ms': ['CONNECTIONS_TIMEOUT_MS', '10000'] },
  },
  differential: {
    test: 'test/differential/differential.slow.test.ts',
    flags: { requests: ['DIFFERENTIAL_REQUESTS', '20000'], seed: ['DIFFERENTIAL_SEED', '1'] },
  },
  doors: { test: 'test/doors/one-sum', flags: { count: ['DOORS_COUNT', '2000'], seed: ['DOORS_SEED'] } },
  flips: {
    test: 'test/operate/verify/flips.slow.test.ts',
    // So many of the flips are looked for by whole runs too.
    flags: { flips: ['FLIPS', '10000'], seed: ['FLIPS_SEED', '1'], whole: ['FLIPS_WHOLE', '200'] },
  },
  fuzz: {
    test: 'test/fuzz',
    flags: { cases: ['FUZZ_CASES', '100000'], seed: ['FUZZ_SEED', '1'], path: ['FUZZ_PATH', null] },
  },
  holds: {
    test: 'test/doors/gate/holds.slow.test.ts',
    flags: {
      lake: ['HOLDS_LAKE', null],
      program: ['HOLDS_PROGRAM', null],
      'most-ms': ['HOLDS_MOST_MS', '100'],
    },
  },
  properties: {
    test: 'test/properties',
    flags: { runs: ['PROPERTY_RUNS', '20'], seed: ['PROPERTY_SEED'] },
  },
  'served-flips': {
    test: 'test/lake/integrity/served-flips.slow.test.ts',
    flags: { flips: ['FLIPS', '2000'], seed: ['FLIPS_SEED'] },
  },
}

const [name = '', ...args] = process.argv.slice(2)
const run = runs[name]
if (run === undefined) throw new Error(`unknown run ${name}; use one of ${Object.keys(runs).join(', ')}`)
const options = Object.fromEntries(
  [...Object.keys(run.flags), 'only'].map((flag) => [flag, { type: 'string' as const }]),
)
const { values } = parseArgs({ args, options })
const env: Record<string, string> = {}
for (const [flag, [variable, usual = String(randomInt(1_000_000_000))]] of Object.entries(run.flags)) {
  const text = values[flag] ?? usual
  if (text === null) continue
  if (usual !== null && !(flag === 'seed' ? /^\d{1,9}$/ : /^[1-9]\d{0,8}$/).test(String(text)))
    throw new Error(`--${flag} is ${text}; use a whole number below 1,000,000,000`)
  env[variable] = String(text)
}
console.log(Object.entries(env).flat().join(' '))
const only = values.only === undefined ? [] : ['--testNamePattern', String(values.only)]
const vitest = ['node_modules/vitest/vitest.mjs', 'run', run.test, '--testTimeout', '0', ...only]
const { status } = spawnSync(process.execPath, vitest, {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  env: { ...process.env, TEST_TIER: 'slow', ...env },
})
process.exitCode = status ?? 1
