import { basename } from 'node:path'
import { build } from 'esbuild'
import { root } from './prepare.mjs'

/** Bundles the explorer for browsers, a script for each page, whose names change with their content. Gives their texts, and what esbuild says is inside. */
export async function bundleExplorer() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/explorer/main.ts', 'src/explorer/styles.css'],
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
  const named = (start) => files.find(({ name }) => name.startsWith(start)).name
  return { files: { script: named('main-'), style: named('styles-'), files }, metafile }
}
