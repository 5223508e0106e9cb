import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { markdownTable } from '../bench/support/markdown.ts'
import { faults } from '../test/mutations/faults.ts'
import { isPlantable, makeScratchTree, type Outcome, type Planted, plant } from '../test/mutations/plant.ts'

/**
 * Plants small faults in a copy of the tree, one at a time, and looks whether the tests see them: those nearest to it first, then
 * the whole of `npm test`: npm run test:long -- mutations --only cursor
 * Exit code: 0 all were seen, 1 one was not, or its text does not stand in its file exactly once.
 */

const { values } = parseArgs({
  options: {
    /** Faults whose file or description has this text. */
    only: { type: 'string', default: '' },
    /** Leaves out the whole suite for those that the nearest tests do not see. */
    nearest: { type: 'boolean', default: false },
  },
})
const chosen = faults.filter(({ what, file }) => `${what} ${file}`.includes(values.only))
if (chosen.length === 0)
  throw new Error(`--only is ${values.only}; use part of a file name or of a description`)

const stale = chosen.filter((fault) => !isPlantable(fault))
for (const { file, find } of stale) console.error(`${file} does not have this exactly once: ${find}`)

const tree = makeScratchTree()
process.on('exit', () => rmSync(tree, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const planted: Planted[] = []
for (const fault of chosen.filter(isPlantable)) {
  const result = await plant(tree, fault, values.nearest)
  planted.push(result)
  console.log(`${result.outcome}: ${fault.what} (${fault.file}, ${result.seconds} s)`)
}
const rows = planted.map(({ fault, outcome, by, seconds }) => [
  fault.what,
  fault.file,
  outcome,
  by,
  String(seconds),
])
console.log(`\n${markdownTable(['fault', 'file', 'outcome', 'by', 's'], rows)}\n`)
const count = (outcome: Outcome) => planted.filter((one) => one.outcome === outcome).length
console.log(
  `${planted.length} faults: ${count('seen nearby')} seen nearby, ${count('seen by the whole suite')} by the whole suite, ` +
    `${count('survived')} survived; ${stale.length} could not be planted.`,
)
process.exitCode = count('survived') + stale.length > 0 ? 1 : 0
