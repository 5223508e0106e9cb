import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { program, runToEnd } from '../../../bench/support/program.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { ingestInto } from '../lakes/build-lake.ts'
import { buildIndex, deriveBlocks } from '../lakes/derive-all.ts'
import { type OracleFiles, writeOracleFiles } from '../lakes/make-lake.ts'
import { oracleFiles } from '../network/oracle-files.ts'
import type { Years } from '../network/years.ts'

/** The same two years as they lie in the end, in several ways. */
export interface Lakes {
  /** As ingests left it, with the files of several of them in a month. */
  readonly plain: string
  /** With few files in a month. */
  readonly compacted: string
  /** State folders with the index by hotspot and the row indexes of either lake. */
  readonly state: string
  readonly compactedState: string
}

const COMMIT_ROWS = 20_000
/** One file in so many comes in a second ingest. */
const LATER = 90

/** Makes them below `parent`: share files in halves, replacements, then late manifests, each an ingest of its own. */
export async function makeLakes(parent: string, { files, replaced, late }: Years): Promise<Lakes> {
  const plain = join(parent, 'lake')
  const latest = oracleFiles(files)
  const lateFiles = files.filter(({ name }) => late.has(name))
  const onTime = files.map((file) => (late.has(file.name) ? { ...file, manifests: [] } : file))
  const first = { ...oracleFiles(onTime), ...oracleFiles(replaced) }
  const manifests = pick(oracleFiles(lateFiles), (path) => path.includes('manifest'))
  const names = new Set(replaced.map(({ network, name }) => `${network}/${name}`))
  const replacements = pick(latest, (path) => names.has(path))

  let inputs = 0
  async function add(more: OracleFiles, replace: boolean): Promise<void> {
    const input = join(parent, `input-${inputs}`)
    inputs += 1
    await mkdir(input)
    await writeOracleFiles(input, more)
    const { failed, refusedRows } = await ingestInto(plain, [input], { replace, commitRows: COMMIT_ROWS })
    if (failed.length + refusedRows > 0) throw new Error(`not taken in: ${JSON.stringify(failed)}`)
  }
  const paths = Object.keys(first).sort()
  // What comes later is added to months that are there.
  const second = new Set(paths.filter((_, place) => place % LATER === 0))
  for (const isSecond of [false, true])
    await add(
      pick(first, (path) => second.has(path) === isSecond),
      false,
    )
  if (names.size > 0) await add(replacements, true)
  if (lateFiles.length > 0) await add(manifests, false)

  const state = join(parent, 'state')
  await derive(plain, state)
  const compactedState = join(parent, 'compacted-state')
  const compacted = await compact(plain, compactedState)
  return { plain, compacted, state, compactedState }
}

/** By the program. */
async function compact(plain: string, state: string): Promise<string> {
  const compacted = join(dirname(plain), 'compacted')
  await cp(plain, compacted, { recursive: true })
  const before = (await new Lake(compacted).latest()).id
  await runToEnd([program, 'compact', '--lake', compacted])
  const after = await new Lake(compacted).latest()
  if (after.id === before) throw new Error('compact made nothing of the lake')
  await derive(compacted, state)
  return compacted
}

/** Builds the index by hotspot and the row indexes, of tables of any size. */
async function derive(lake: string, state: string): Promise<void> {
  await buildIndex(lake, state, await new Lake(lake).latest())
  await deriveBlocks(lake, state)
}

function pick(files: OracleFiles, wanted: (path: string) => boolean): OracleFiles {
  return Object.fromEntries(Object.entries(files).filter(([path]) => wanted(path)))
}
