import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * Runs tests that draw from a seed for longer than `npm test` does: npm run test:long -- doors --count 2000 --seed 1
 * A failure names the seed. Each flag is a whole number, which the test reads from a variable of the environment.
 */

interface RandomRun {
  readonly test: string
  /** Variable and default of each flag; without a default the seed is random. */
  readonly flags: Readonly<Record<string, readonly [variable: string, usual?: string]>>
}

const runs: Readonly<Record<string, RandomRun>> = {
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
const options = Object.fromEntries(Object.keys(run.flags).map((flag) => [flag, { type: 'string' as const }]))
const { values } = parseArgs({ args, options })
const env: Record<string, string> = {}
for (const [flag, [variable, usual = String(randomInt(1_000_000_000))]] of Object.entries(run.flags)) {
  const text = String(values[flag] ?? usual)
  if (!(flag === 'seed' ? /^\d{1,9}$/ : /^[1-9]\d{0,8}$/).test(text))
    throw new Error(`--${flag} is ${text}; use a whole number below 1,000,000,000`)
  env[variable] = text
}
console.log(Object.entries(env).flat().join(' '))
const vitest = ['node_modules/vitest/vitest.mjs', 'run', run.test, '--testTimeout', '0']
const { status } = spawnSync(process.execPath, vitest, {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  env: { ...process.env, TEST_TIER: 'slow', ...env },
})
process.exitCode = status ?? 1
