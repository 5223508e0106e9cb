import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What `npm start`, `npm test` and `npm pack` do first on a fresh clone. Plain Node: nothing is installed yet. */

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a command with its output shown; leaves with its exit code when it fails. */
export function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** Installs the locked packages unless what is installed is as new as the lock file, or is that of another tree, by a link. */
export function install() {
  if (lstatSync(`${root}node_modules`, { throwIfNoEntry: false })?.isSymbolicLink()) return
  const installed = `${root}/node_modules/.package-lock.json`
  const lock = `${root}/package-lock.json`
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  run('npm', ['ci', '--no-audit', '--no-fund'])
}

export function buildProgram() {
  run(process.execPath, ['scripts/build.mjs'])
}

const [firstLine = ''] = readFileSync(`${root}bin/ledgerlake`, 'utf8').split('\n')

/** The flags of V8 that the command runs with. Code that was compiled ahead is taken only with the same ones. */
export const commandFlags = firstLine.split(' ').filter((word) => word.startsWith('--'))

/** Arguments of the commands that write the sample network of `npm start` into a folder. */
export function sampleCommands(out) {
  const hotspots = ['--out', out, '--hotspots', '3000', '--seed', '1']
  // The last two months of the ledger, the past of the same hotspots.
  const ledger = ['--transactions', '20000', '--blocks', '90000', '--start', '2023-02-10']
  return [
    ['sample', ...hotspots, '--days', '30'],
    ['sample', '--l1', ...hotspots, ...ledger],
  ]
}

// `npm pack` runs this file.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  install()
  buildProgram()
}
