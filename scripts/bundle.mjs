import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { tsImport } from 'tsx/esm/api'
import { commit } from './build-stamp.mjs'
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
      LEDGERLAKE_COMMIT: JSON.stringify(commit(root)),
      LEDGERLAKE_EXPLORER: JSON.stringify(explorer.files),
    },
    logLevel: 'warning',
    metafile: true,
    plugins: [...plugins, guideInside],
  })
  return { outputs: { ...metafile.outputs, ...explorer.metafile.outputs } }
}

/** What src/doors/guide/texts.ts gathers from the repository stands in its place, since programs have none. */
const guideInside = {
  name: 'guide-inside',
  setup(builder) {
    builder.onLoad({ filter: /src\/doors\/guide\/texts\.ts$/ }, async ({ path }) => {
      const { guideTexts } = await tsImport(path, import.meta.url)
      const packed = brotliCompressSync(JSON.stringify(guideTexts())).toString('base64')
      const contents = `import { brotliDecompressSync } from 'node:zlib'
        export function guideTexts() {
          return JSON.parse(brotliDecompressSync(Buffer.from('${packed}', 'base64')).toString())
        }`
      return { contents, loader: 'js' }
    })
  },
}
