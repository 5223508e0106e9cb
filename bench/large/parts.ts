import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { dayOfEpoch, type SampleEpoch } from '../../src/write/sample/epochs.ts'
import { checkFacts, generatedShares, storedShares } from '../support/facts.ts'
import { epochsOfWorkload, type Workload, writeOracleFiles } from '../support/network.ts'
import { program, runToEnd } from '../support/program.ts'

/** Some days of a network that are in the lake; times are missing where another program brought them. */
export interface Part {
  readonly start: string
  readonly days: number
  readonly shares?: number
  /** To write the files, to ingest them, and to build what is derived when that is done after each part. */
  readonly writeSeconds?: number
  readonly ingestSeconds?: number
  readonly ingestPeakMb?: number | null
  readonly deriveSeconds?: number
}

/** What `parts.json` says: of which network, and how far the lake is. */
interface Progress {
  readonly hotspots: number
  readonly seed: string
  readonly parts: readonly Part[]
}

export interface PartsRequest {
  /** Takes the lake, the files of one part, and `parts.json`. */
  readonly parent: string
  readonly network: Workload
  readonly partDays: number
  readonly derive: 'each' | 'end'
  readonly say: (line: string) => void
}

/** Brings the days that the lake lacks, part by part; what was noted is not done again. Throws when a part is not what the generator yields. */
export async function makeParts(request: PartsRequest): Promise<readonly Part[]> {
  const { parent, network, partDays, say } = request
  const note = join(parent, 'parts.json')
  let progress = progressOf(note, network)
  const epochs = epochsOfWorkload(network)
  for (;;) {
    const done = progress.parts.reduce((sum, { days }) => sum + days, 0)
    if (done >= network.days) return progress.parts
    const days = Math.min(partDays, network.days - done)
    const start = dayOfEpoch(epochs[done] as SampleEpoch)
    const part = await makePart(request, { ...network, days, start })
    progress = { ...progress, parts: [...progress.parts, part] }
    writeFileSync(`${note}.unfinished`, JSON.stringify(progress, null, 2))
    renameSync(`${note}.unfinished`, note)
    say(`${done + days} of ${network.days} days are in, ${part.shares} shares more`)
  }
}

/** Errors: it is about another network. */
function progressOf(note: string, { hotspots, seed }: Workload): Progress {
  if (!existsSync(note)) return { hotspots, seed, parts: [] }
  const progress = JSON.parse(readFileSync(note, 'utf8')) as Progress
  if (progress.hotspots === hotspots && progress.seed === seed) return progress
  throw new Error(
    `${note} is about ${progress.hotspots} hotspots and seed ${progress.seed}; take another --parent`,
  )
}

async function makePart(
  { parent, derive }: PartsRequest,
  part: Workload & { readonly start: string },
): Promise<Part> {
  const lake = join(parent, 'lake')
  const began = performance.now()
  const { folder, shares } = await writeOracleFiles(join(parent, 'part'), part)
  const writeSeconds = (performance.now() - began) / 1000
  const ingested = await runToEnd([program, 'ingest', folder, '--lake', lake, ...withoutDerived(parent)])
  checkFacts(storedShares(await new Lake(lake).latest(), part), generatedShares(part))
  rmSync(join(parent, 'part'), { recursive: true })
  const derived = derive === 'each' ? { deriveSeconds: (await buildDerived(lake)).seconds } : {}
  const { start, days } = part
  const { seconds: ingestSeconds, peakMb: ingestPeakMb } = ingested
  return { start, days, shares, writeSeconds, ingestSeconds, ingestPeakMb, ...derived }
}

/** Nothing can be built below a file, so an ingest leaves it for later; it has no flag for that. */
export function withoutDerived(parent: string): readonly string[] {
  const file = join(parent, 'no-state')
  writeFileSync(file, '')
  return ['--state', join(file, 'state')]
}

export function buildDerived(lake: string) {
  return runToEnd([program, 'build-derived', '--lake', lake])
}
