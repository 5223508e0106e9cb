import { basename } from 'node:path'
import { build } from 'esbuild'
import { root } from './prepare.mjs'

/** Bundles the pages for browsers, those of the explorer with a script each, and the one for GraphQL. Names change with their content. Gives their texts, and what esbuild says is inside. */
export async function bundleExplorer() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: 'src/explorer/main.ts', out: 'main' },
      { in: 'src/explorer/styles.css', out: 'styles' },
      { in: 'src/explorer/graphql/main.ts', out: 'graphql' },
      { in: 'src/explorer/graphql/styles.css', out: 'graphql' },
    ],
    outdir: 'dist/explorer',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: ['chrome109', 'firefox115', 'safari16.4'],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
    metafile: true,
  })
  const files = outputFiles.map(({ path, text }) => ({ name: basename(path), text }))
  const named = (start, end) =>
    files.find(({ name }) => name.startsWith(`${start}-`) && name.endsWith(end)).name
  const styles = named('styles', '.css')
  const explorer = { script: named('main', '.js'), styles: [styles] }
  const graphql = { script: named('graphql', '.js'), styles: [styles, named('graphql', '.css')] }
  return { files: { explorer, graphql, files }, metafile }
}
