import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is made here; all else of the repository may be in the program, since guides link to sources and tests. */
const MADE = new Set(['.git', 'node_modules', 'dist', 'data', 'release', 'coverage'])
const STAMP = 'dist/built-from'

/** Digest of everything that a build depends on: names, sizes and times of files, the installed packages, the commit, and Node. */
export function digestOfInputs(root) {
  const hash = createHash('sha256').update(`${process.version} ${commit(root)}\n`)
  for (const path of [...filesOf(root), 'node_modules/.package-lock.json']) {
    const facts = statSync(join(root, path), { throwIfNoEntry: false })
    hash.update(`${path} ${facts?.size} ${facts?.mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function filesOf(root) {
  const paths = readdirSync(root)
    .filter((name) => !MADE.has(name))
    .flatMap((name) => {
      if (!statSync(join(root, name)).isDirectory()) return [name]
      return readdirSync(join(root, name), { recursive: true }).map((below) => join(name, below))
    })
  return paths.sort()
}

/** Whether the last build was of what is there now. */
export function isBuilt(root) {
  try {
    return readFileSync(join(root, STAMP), 'utf8') === digestOfInputs(root)
  } catch {
    return false
  }
}

export function writeStamp(root, digest) {
  writeFileSync(join(root, STAMP), digest)
}

/** The commit of a working tree, marked where files differ from it; empty outside a repository. */
export function commit(root) {
  try {
    const args = ['describe', '--always', '--abbrev=40', '--exclude=*', '--dirty=-changed']
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}
