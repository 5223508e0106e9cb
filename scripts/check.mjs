import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './prepare.mjs'

/**
 * Everything that a change has to pass. What fails does not keep the rest from being run. The last line counts the tests of both
 * tiers; leaves with 1 when anything failed, or when a tier ran no test.
 */

const reports = mkdtempSync(join(tmpdir(), 'ledgerlake-check-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

const isClean = ['lint', 'typecheck', 'deadcode'].map((script) => runScript(script))
const tiers = ['test', 'test:slow'].map(runTests)
const sum = (name) => tiers.reduce((total, report) => total + (report[name] ?? 0), 0)
console.log(
  `${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed, ${sum('numPendingTests') + sum('numTodoTests')} skipped`,
)
const isGreen = tiers.every((report) => report.success === true && report.numPassedTests > 0)
process.exitCode = isClean.every(Boolean) && isGreen ? 0 : 1

function runScript(script, ...args) {
  const { status } = spawnSync('npm', ['run', script, ...args], { cwd: root, stdio: 'inherit' })
  if (status !== 0) console.error(`npm run ${script} failed`)
  return status === 0
}

/** What Vitest reports of a tier; without success when it could not say. */
function runTests(script, tier) {
  const path = join(reports, `${tier}.json`)
  const isGreen = runScript(
    script,
    '--',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path}`,
  )
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'))
    return { ...report, success: report.success && isGreen }
  } catch (error) {
    console.error(`npm run ${script} left no report: ${error.message}`)
    return {}
  }
}
