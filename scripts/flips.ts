import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** Flips bits of a lake and looks whether verify finds each: npm run test:flips -- --flips 10000 --seed 1 --whole 200 */
const { values } = parseArgs({
  options: {
    flips: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    // Of the flips, so many are looked for by whole runs too.
    whole: { type: 'string', default: '200' },
  },
})
for (const [flag, text] of Object.entries(values)) {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`--${flag} is ${text}; a whole number from 1 to 999,999,999 is accepted`)
}
const root = fileURLToPath(new URL('..', import.meta.url))
const { flips, seed, whole } = values
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    'test/operate/verify/flips.slow.test.ts',
    '--testTimeout=7200000',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_TIER: 'slow', FLIPS: flips, FLIPS_SEED: seed, FLIPS_WHOLE: whole },
  },
)
process.exitCode = status ?? 1
