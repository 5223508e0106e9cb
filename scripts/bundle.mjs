import { execFileSync } from 'node:child_process'
import { build } from 'esbuild'
import { bundleExplorer } from './explorer.mjs'
import { root } from './prepare.mjs'

/** Bundles an entry into one CommonJS file with the explorer in it, so that starting reads few files; gives what esbuild says is inside. */
export async function bundle(entry, outfile, plugins = []) {
  const explorer = await bundleExplorer()
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
    define: {
      LEDGERLAKE_COMMIT: JSON.stringify(commit()),
      LEDGERLAKE_EXPLORER: JSON.stringify(explorer.files),
    },
    logLevel: 'warning',
    metafile: true,
    plugins,
  })
  return { outputs: { ...metafile.outputs, ...explorer.metafile.outputs } }
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
