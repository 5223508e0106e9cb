import { execFileSync } from 'node:child_process'

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
