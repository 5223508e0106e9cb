import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { languages } from '../test/support/guides/blocks.ts'
import { notRun } from '../test/support/guides/not-run.ts'
import { guides, makeSampleLake, runGuide } from '../test/support/guides/run-guide.ts'

/**
 * Runs every block of docs/guide, those in Python and R too: npm run test:long -- guides [PAGE...]. It makes Python environments
 * of its own from PyPI in a temporary folder; R is run where there is an Rscript. Exit code: 0 all as shown, 1 something else.
 */

/** What the recipes are for; other versions may behave otherwise. */
const common = ['duckdb==2.0.0', 'polars==2.1.0', 'pandas==3.1.1', 'deltalake==1.6.6', 'pyarrow==26.0.1']

/** Guides whose packages do not go with the others. */
const own: Readonly<Record<string, readonly string[]>> = {
  // The client wants older pandas and pyarrow.
  'sharing.md': ['delta-sharing==1.4.2', 'polars==2.1.0'],
}

const folder = mkdtempSync(join(tmpdir(), 'ledgerlake-guides-'))
try {
  const asked = process.argv.slice(2).map((name) => name.replace(/^.*\//, ''))
  const chosen = guides.filter((name) => asked.length === 0 || asked.includes(name))
  const pythons = new Map<readonly string[], string>()
  const hasR = spawnSync('Rscript', ['--version']).status === 0
  if (!hasR) console.log('no Rscript here: blocks in R are not run')
  const sample = join(folder, 'sample')
  mkdirSync(sample)
  await makeSampleLake(sample)
  const run = languages.filter((language) => language !== 'r' || hasR)
  for (const name of chosen) {
    const packages = own[name] ?? common
    const python = pythons.get(packages) ?? makePython(packages, `python-${pythons.size}`)
    pythons.set(packages, python)
    await report(name, { sample, python, languages: run })
  }
  for (const { guide, block, why } of notRun)
    console.log(`not run: ${guide}${block ? `, ${block}` : ''}: ${why}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function makePython(packages: readonly string[], name: string): string {
  console.log(`making a Python environment of ${packages.join(', ')}`)
  const environment = join(folder, name)
  execFileSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' })
  execFileSync(join(environment, 'bin/pip'), ['install', '--quiet', ...packages], { stdio: 'inherit' })
  return join(environment, 'bin')
}

async function report(name: string, run: Omit<Parameters<typeof runGuide>[1], 'folder'>): Promise<void> {
  const own = join(folder, name)
  mkdirSync(own)
  const outcomes = await runGuide(name, { ...run, folder: own })
  const fault = outcomes.find((outcome) => outcome.fault !== undefined)
  const left = outcomes.filter((outcome) => outcome.left !== undefined).length
  console.log(`${name}: ${outcomes.length - left} run, ${left} not run${fault ? ', the last one wrong' : ''}`)
  if (fault?.fault === undefined) return
  process.exitCode = 1
  const { what, expected, actual } = fault.fault
  console.log(`${fault.at} ${what}\n--- the page\n${expected}\n--- here\n${actual}`)
}
