import { spawn } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'
import { bundle } from '../../../scripts/bundle.mjs'
import { readTried, type Tried } from './tried.ts'

export interface PointsRequest {
  /** An empty folder, in memory if possible; its path has no `'`. */
  readonly folder: string
  readonly points: number
  readonly seed: string
  /** Parts of names of scenarios; all if there is none. */
  readonly only?: readonly string[]
  /** Has a line for each point that was tried before, and gets those of this run. */
  readonly file: string
  /** Tries no more points once something does not hold. */
  readonly endsWithFault?: boolean
  readonly onPoint?: (tried: Tried, done: number) => void
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
  const { file, points } = request
  await bundle(fileURLToPath(new URL('worker.ts', import.meta.url)), program, [withoutVitest])
  for (let done = readTried(file); done.length < points; ) {
    await runSome(request, done.length)
    const now = readTried(file)
    if (now.length === done.length || (request.endsWithFault && now.some(hasFault))) break
    done = now
  }
  return readTried(file)
}

const hasFault = ({ fault }: Tried) => fault !== undefined

async function runSome(request: PointsRequest, before: number): Promise<void> {
  const { folder, points, seed, only = [''], file, endsWithFault, onPoint } = request
  const own = join(folder, 'points')
  const args = [program, own, only.join(','), String(points), seed, file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let [done, errors] = [before, '']
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4000)
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  for await (const line of createInterface({ input: child.stdout })) {
    appendFileSync(file, `${line}\n`)
    done += 1
    const tried = JSON.parse(line) as Tried
    onPoint?.(tried, done)
    if (endsWithFault && hasFault(tried)) child.kill()
  }
  const code = await ended
  rmSync(own, { recursive: true, force: true })
  if (code !== 0 && code !== null)
    throw new Error(`the process that tries points ended with ${code}: ${errors}`)
}
