import { readFileSync } from 'node:fs'

/** Prints why tests failed and then sums the reports of several runs up in one line. Leaves with 1 when one is missing or has no test that passed. */

const reports = process.argv.slice(2).map((path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    console.error(`${path} is no report: ${error.message}`)
    return {}
  }
})
const sum = (name) => reports.reduce((total, report) => total + (report[name] ?? 0), 0)

// At the end, since whoever looks at a failed run often sees only the end of what it printed.
const failures = reports.flatMap(({ testResults = [] }) =>
  testResults.flatMap(({ name, message, assertionResults = [] }) => [
    ...(message ? [`${name}: ${message}`] : []),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${name}: ${fullName}\n${failureMessages.join('\n')}`),
  ]),
)
for (const failure of failures) console.log(`FAILED ${failure.slice(0, 3000)}\n`)

const failed = sum('numFailedTests')
console.log(
  `${sum('numPassedTests')} passed, ${failed} failed, ${sum('numPendingTests') + sum('numTodoTests')} skipped`,
)
const isWhole = reports.every((report) => report.success === true && report.numPassedTests > 0)
process.exitCode = reports.length > 0 && isWhole ? 0 : 1
