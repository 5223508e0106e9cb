import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * Asks questions drawn at random at every door, and compares rows and sums: npm run test:doors -- --count 2000 --seed 1
 * A failure names the seed and each question.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(randomInt(1_000_000_000)) },
  },
})
for (const [flag, text] of Object.entries(values)) {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${flag} is ${text}; use a whole number below 1,000,000,000`)
}
const root = fileURLToPath(new URL('..', import.meta.url))
console.log(`${values.count} questions, seed ${values.seed}`)
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/doors/one-sum'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_TIER: 'slow', DOORS_COUNT: values.count, DOORS_SEED: values.seed },
  },
)
process.exitCode = status ?? 1
