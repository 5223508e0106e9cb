import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'
import { tsImport } from 'tsx/esm/api'
import { commit } from './build-stamp.mjs'
import { root } from './prepare.mjs'

/** Fastify requires these for schemas of routes, of which we have none, and for `inject`, which only tests call. */
export const withoutUnused = {
  name: 'without-unused',
  setup({ onResolve, onLoad }) {
    const filter = /^(@fastify\/(ajv|fast-json-stringify)-compiler|light-my-request)$/
    onResolve({ filter }, ({ path }) => ({ path, namespace: 'unused' }))
    onLoad({ filter, namespace: 'unused' }, ({ path }) => ({
      contents: `throw new Error('${path} is not in this bundle')`,
    }))
  },
}

/** Bundles an entry into one CommonJS file with the explorer and the guide in it, so that starting reads few files; gives what esbuild says is inside. */
export async function bundle(entry, outfile, plugins = [withoutUnused]) {
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
    plugins: [strictParquetjs, ...plugins],
  })
  return { outputs: { ...metafile.outputs, ...explorer.metafile.outputs } }
}

/** parquetjs-lite declares global names, which strict code must not, and Node warns of its `new Buffer(8)` outside node_modules. */
const strictParquetjs = {
  name: 'strict-parquetjs',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules\/(node-int64|parquetjs-lite)\/.*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      return {
        contents: text
          .replace(/new Buffer\((\d+)\)/g, 'Buffer.alloc($1)')
          .replace(/^(\w+) = module\.exports\./gm, 'var $1 = module.exports.'),
      }
    })
  },
}

/** The rendered guide, compressed, in base64. */
async function guideInside() {
  const { servedGuide } = await tsImport('./docs.ts', import.meta.url)
  const json = Buffer.from(JSON.stringify(servedGuide()))
  // The best quality takes five times as long for a tenth less.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: json.length }
  return brotliCompressSync(json, { params }).toString('base64')
}

/** Options of both bundles for browsers. Names change with content. */
const forBrowsers = {
  absWorkingDir: root,
  outdir: 'dist/explorer',
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['chrome109', 'firefox115', 'safari16.4'],
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
  metafile: true,
}

/** Bundles the pages for browsers: the explorer with the script of charts apart, and the page for GraphQL. They share no chunk, which would be a request more. Gives their texts, and what esbuild says is inside. */
export async function bundleExplorer() {
  const built = await Promise.all([
    build({
      ...forBrowsers,
      entryPoints: [
        { in: 'src/explorer/main.ts', out: 'main' },
        { in: 'src/explorer/styles.css', out: 'styles' },
      ],
      splitting: true,
    }),
    build({
      ...forBrowsers,
      entryPoints: [
        { in: 'src/explorer/graphql/main.ts', out: 'graphql' },
        { in: 'src/explorer/graphql/styles.css', out: 'graphql' },
      ],
    }),
  ])
  const files = built.flatMap(({ outputFiles }) =>
    outputFiles.map(({ path, text }) => ({ name: basename(path), text })),
  )
  const named = (start, end) =>
    files.find(({ name }) => name.startsWith(`${start}-`) && name.endsWith(end)).name
  const styles = named('styles', '.css')
  const explorer = { script: named('main', '.js'), styles: [styles] }
  const graphql = { script: named('graphql', '.js'), styles: [styles, named('graphql', '.css')] }
  const kept = built[0].outputFiles.map(({ path }) => basename(path))
  const worker = await build({
    ...forBrowsers,
    entryPoints: ['src/explorer/offline/worker.ts'],
    format: 'iife',
    define: { EXPLORER_FILES: JSON.stringify(kept) },
  })
  const outputs = Object.assign({}, ...[...built, worker].map(({ metafile }) => metafile.outputs))
  return { files: { explorer, graphql, files, worker: worker.outputFiles[0].text }, metafile: { outputs } }
}
