import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What `npm start` and `npm test` do first on a fresh clone. Plain Node: nothing is installed yet. */

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
