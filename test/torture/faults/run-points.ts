import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'
import { bundle } from '../../../scripts/bundle.mjs'
import { hasFault, readLines, type Tried } from './points.ts'

export interface PointsRequest {
  /** An empty folder, in memory if possible; its path has no `'`. */
  readonly folder: string
  /** All when undefined. */
  readonly points?: number
  readonly seed: string
  /** Parts of names of scenarios; all if there is none. */
  readonly only?: readonly string[]
  /** Has a line for each point that was tried before, and gets those of this run. */
  readonly file: string
  /** Tries no more points once something does not hold. */
  readonly endsWithFault?: boolean
}

const program = fileURLToPath(new URL('../../../dist/torture.cjs', import.meta.url))

/** Tests and their helpers use some of vitest, which does not run here. */
const withoutVitest: Plugin = {
  name: 'without vitest',
  setup(build) {
    const { initialOptions: options } = build
    options.define = { ...options.define, 'import.meta.url': 'ownAddress' }
    options.banner = { js: "const ownAddress = require('node:url').pathToFileURL(__filename).href" }
    build.onResolve({ filter: /^vitest$/ }, ({ path }) => ({ path, namespace: 'none' }))
    const contents =
      'export const TestRunner = { getCurrentTest() {} }, onTestFinished = () => {}, expect = 0, vi = 0'
    build.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents }))
  },
}

/** Tries points in processes of their own, one after the other; gives them with those that the file had before. */
export async function runPoints(request: PointsRequest): Promise<readonly Tried[]> {
  const { folder, file, points = Number.POSITIVE_INFINITY, endsWithFault = false } = request
  await bundle(fileURLToPath(new URL('worker.ts', import.meta.url)), program, [withoutVitest])
  for (;;) {
    const tried = readLines<Tried>(file)
    if (tried.length >= points || (endsWithFault && tried.some(hasFault))) return tried
    const child = spawn(process.execPath, [program, JSON.stringify(request)], { stdio: 'inherit' })
    const [code] = await once(child, 'close')
    rmSync(join(folder, 'points'), { recursive: true, force: true })
    if (code !== 0) throw new Error(`the process that tries points ended with ${code}`)
    if (readLines(file).length === tried.length) return tried
  }
}
