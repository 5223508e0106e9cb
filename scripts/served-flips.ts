import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** Flips bits in the data files of a served lake, and compares its answers: npm run test:served-flips -- --flips 2000 --seed 1 */
const { values } = parseArgs({
  options: {
    flips: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(randomInt(1_000_000_000)) },
  },
})
if (!/^[1-9]\d{0,6}$/.test(values.flips))
  throw new Error(`--flips is ${values.flips}; a whole number from 1 to 9,999,999 is accepted`)
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    'test/lake/integrity/served-flips.slow.test.ts',
    '--testTimeout',
    '0',
  ],
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    env: { ...process.env, TEST_TIER: 'slow', FLIPS: values.flips, FLIPS_SEED: values.seed },
  },
)
process.exitCode = status ?? 1
