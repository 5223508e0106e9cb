import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bundle, withoutUnused } from './bundle.mjs'
import { root } from './prepare.mjs'

/** Makes release/ledgerlake, a single executable of this Node: npm run build:binary. Gives what esbuild says is inside. */

const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const work = `${root}dist/single/`
const executable = `${root}release/ledgerlake`

const require = createRequire(import.meta.url)

/**
 * The engine is loaded when its first function is called: --help and --version unpack nothing. What is no function is
 * read while modules load, so it is put in here.
 */
const engineFromAssets = {
  name: 'engine-from-assets',
  setup(builder) {
    const namespace = 'engine'
    const native = require('@duckdb/node-bindings')
    const values = Object.getOwnPropertyNames(native).filter((name) => typeof native[name] !== 'function')
    const constants = JSON.stringify(Object.fromEntries(values.map((name) => [name, native[name]])))
    builder.onResolve({ filter: /^@duckdb\/node-bindings$/ }, () => ({ path: namespace, namespace }))
    builder.onLoad({ filter: /.*/, namespace }, () => ({
      resolveDir: `${root}src/cli/single`,
      contents: `const { lazyEngine } = require('./engine.ts')
        module.exports = lazyEngine(${constants})`,
    }))
  },
}

/** Native files of the engine for this system, with their digests, and the library that is loaded first. */
export function engineFiles() {
  const { resolve } = createRequire(require.resolve('@duckdb/node-bindings'))
  const { platform, arch } = process
  const folder = dirname(resolve(`@duckdb/node-bindings-${platform}-${arch}/package.json`))
  const names = readdirSync(folder)
    .filter((name) => /\.(node|so|dylib|dll)$/.test(name))
    .sort()
  const files = names.map((name) => ({ name, sha256: sha256(readFileSync(join(folder, name))) }))
  const digest = sha256(JSON.stringify(files)).slice(0, 16)
  return { from: folder, contents: { folder: `engine-${digest}`, library: 'duckdb.node', files } }
}

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

export async function buildBinary() {
  mkdirSync(work, { recursive: true })
  mkdirSync(dirname(executable), { recursive: true })
  const metafile = await bundle('src/cli/single/main.ts', `${work}main.cjs`, [
    engineFromAssets,
    withoutUnused,
  ])
  const { from, contents } = engineFiles()
  writeFileSync(`${work}engine.json`, JSON.stringify(contents))
  const assets = Object.fromEntries(contents.files.map(({ name }) => [name, join(from, name)]))
  const settings = {
    main: 'main.cjs',
    output: 'blob',
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: { 'engine.json': `${work}engine.json`, ...assets },
  }
  writeFileSync(`${work}sea.json`, JSON.stringify(settings))
  // The path of the script is in the blob, and V8 compiles to other bytes with another seed.
  const prepare = ['--random-seed=1', '--experimental-sea-config', 'sea.json']
  execFileSync(process.execPath, prepare, { cwd: work, stdio: 'pipe' })
  writeFileSync(executable, readFileSync(process.execPath))
  chmodSync(executable, 0o755)
  // Its warnings about the sections of Node's file are shown when it fails.
  const inject = [require.resolve('postject/dist/cli.js'), executable, 'NODE_SEA_BLOB', `${work}blob`]
  execFileSync(process.execPath, [...inject, '--sentinel-fuse', FUSE], { stdio: 'pipe' })
  return metafile
}

if (import.meta.filename === process.argv[1]) await buildBinary()
