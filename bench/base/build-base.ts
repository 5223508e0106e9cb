import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Unpacks a commit below `parent`, builds it there, and gives the path of its program; the repository itself is only read.
 * Packages are shared with the working tree where both lock the same, else installed.
 */
export function buildBase(commit: string, parent: string): string {
  const folder = join(parent, 'base')
  mkdirSync(folder)
  const tar = join(parent, 'base.tar')
  execFileSync('git', ['archive', '--format=tar', `--output=${tar}`, commit], { cwd: root })
  execFileSync('tar', ['-xf', tar, '-C', folder])
  const lockOf = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8')
  if (lockOf(folder) === lockOf(root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' })
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: 'inherit' })
  return join(folder, 'bin/ledgerlake')
}

/** The full id of a commit, branch or tag. Errors: this repository has no such. */
export function commitOf(rev: string): string {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${rev}^{commit}`]
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    throw new Error(`--base is ${rev}; use a commit, branch or tag of this repository`)
  }
}
