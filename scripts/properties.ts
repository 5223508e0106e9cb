import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * Tries the properties of test/properties on more data sets than `npm test` does: npm run test:properties -- --runs 100
 * A test that fails names the seed of its data set: npm run test:properties -- --runs 1 --seed SEED
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    // Data set by data set the next seed, so the last one has to be whole too.
    seed: { type: 'string', default: String(randomInt(1_000_000_000)) },
  },
})
for (const [flag, text] of Object.entries(values)) {
  if (!/^\d{1,9}$/.test(text))
    throw new Error(`--${flag} is ${text}; a whole number below 1,000,000,000 is accepted`)
}
const root = fileURLToPath(new URL('..', import.meta.url))
console.log(`${values.runs} data sets a property, from seed ${values.seed}`)
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'test/properties'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PROPERTY_RUNS: values.runs, PROPERTY_SEED: values.seed },
})
process.exitCode = status ?? 1
