import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { whole } from '../bench/support/markdown.ts'
import { compareSides } from '../test/support/differential/run.ts'

/**
 * Asks random requests of everything that can answer them, and stops at the first digit that differs:
 * npm run test:differential -- --requests 20000 --seed 1
 */

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
  },
})
if (!/^\d{1,7}$/.test(values.requests)) {
  throw new Error(`--requests is ${values.requests}; a whole number below 10,000,000 is accepted`)
}
const SAY_EVERY = 1000
const folder = await mkdtemp(join(tmpdir(), 'ledgerlake-differential-'))
const began = performance.now()
const seconds = () => Math.round((performance.now() - began) / 1000)
const result = await compareSides({
  folder,
  seed: values.seed,
  requests: Number(values.requests),
  ...{ step: 1, sharesAFile: 14, postgres: true },
  onProgress(answered) {
    if (answered % SAY_EVERY === 0) console.log(`${whole(answered)} requests, ${seconds()} s`)
  },
}).catch((error) => {
  console.error(`What was found is kept in ${folder}.`)
  throw error
})
await rm(folder, { recursive: true })
const { shares, files, totals, lists, sides, unindexed } = result
console.log(`${whole(shares)} shares in ${whole(files)} files of two years, seed ${values.seed}`)
console.log(`${whole(totals)} totals and ${whole(lists)} pages, the same from ${sides.join('; ')}`)
console.log(`${whole(unindexed)} answers were not known to an index by hotspot; ${seconds()} s`)
