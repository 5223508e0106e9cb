import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'
import { tsImport } from 'tsx/esm/api'
import { commit } from './build-stamp.mjs'
import { bundleExplorer } from './explorer.mjs'
import { root } from './prepare.mjs'

/** Bundles an entry into one CommonJS file with the explorer and the guide in it, so that starting reads few files; gives what esbuild says is inside. */
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
      LEDGERLAKE_COMMIT: JSON.stringify(commit(root)),
      LEDGERLAKE_EXPLORER: JSON.stringify(explorer.files),
      LEDGERLAKE_GUIDE: JSON.stringify({ brotli: await guideInside() }),
    },
    logLevel: 'warning',
    metafile: true,
    plugins,
  })
  return { outputs: { ...metafile.outputs, ...explorer.metafile.outputs } }
}

/** The rendered guide, compressed, in base64. */
async function guideInside() {
  const { servedGuide } = await tsImport('./guide/pages.ts', import.meta.url)
  const json = Buffer.from(JSON.stringify(servedGuide()))
  // The best quality takes five times as long for a tenth less.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: json.length }
  return brotliCompressSync(json, { params }).toString('base64')
}
