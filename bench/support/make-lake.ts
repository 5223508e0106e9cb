import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import { checkFacts, generatedFacts, storedFacts } from './facts.ts'
import { type Workload, writeOracleFiles } from './network.ts'
import { program, runToEnd } from './program.ts'

/** A lake of a network and a little ledger, and the folders of files that it was made of. */
export interface MadeLake {
  readonly lake: string
  readonly at: Snapshot
  readonly network: string
  readonly archive: string
  /** Of the whole network, the index by hotspot included; null for a lake that was there already. */
  readonly ingestSeconds: number | null
  readonly isCompacted: boolean
}

/** Ingests the files of a network into a lake below `parent` with the built program, and gives its folder. */
export async function ingestNetwork(parent: string, workload: Workload): Promise<string> {
  const { folder } = await writeOracleFiles(parent, workload)
  const lake = join(parent, `lake-${workload.days}x${workload.hotspots}`)
  await runToEnd([program, 'ingest', folder, '--lake', lake])
  rmSync(folder, { recursive: true })
  return lake
}

/** Makes it below `parent` with a built program; throws unless counts and sums are those of the generator. */
export async function makeLake(
  parent: string,
  workload: Workload,
  say: (line: string) => void,
  by = program,
): Promise<MadeLake> {
  const lake = join(parent, 'lake')
  const archive = join(parent, 'archive')
  const { folder: network } = await writeOracleFiles(parent, workload)
  const sizes = ['--transactions', '50000', '--hotspots', '10000']
  await runToEnd([program, 'sample', '--l1', '--out', archive, ...sizes])
  say('the network is written')
  const { seconds: ingestSeconds } = await runToEnd([by, 'ingest', network, '--lake', lake])
  const isCompacted = await compactIfItCan(by, lake)
  // Afterwards, since an ingest also makes anew what is derived.
  await runToEnd([by, 'ingest', archive, '--lake', lake])
  say(`the lake is there${isCompacted ? ', compacted' : ''}`)
  const at = await new Lake(lake).latest()
  checkFacts(storedFacts(at), generatedFacts(workload))
  say('its counts and sums are those of the generator')
  return { lake, at, network, archive, ingestSeconds, isCompacted }
}

/** Whether the program has the command. */
async function compactIfItCan(by: string, lake: string): Promise<boolean> {
  const { stdout } = await runToEnd([by, '--help'])
  if (!/^ +compact\b/m.test(stdout)) return false
  await runToEnd([by, 'compact', '--lake', lake])
  await runToEnd([by, 'vacuum', '--lake', lake, '--keep-hours', '0'])
  return true
}
