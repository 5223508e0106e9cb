import { execFileSync } from 'node:child_process'
import { build } from 'esbuild'
import { root } from './prepare.mjs'

/** Bundles an entry into one CommonJS file, so that starting reads few files; gives what esbuild says is inside. */
export async function bundle(entry, outfile, plugins = []) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    mainFields: ['main', 'module'],
    external: ['@duckdb/node-bindings'],
    define: { LEDGERLAKE_COMMIT: JSON.stringify(commit()) },
    logLevel: 'warning',
    metafile: true,
    plugins,
  })
  return metafile
}

/** The commit of the working tree, marked where files differ from it; empty outside a repository. */
export function commit() {
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
