import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeSampleLedger } from '../src/write/sample/ledger/write-ledger.ts'
import { writeHotspots } from '../src/write/sample/write-hotspots.ts'
import { writeSampleNetwork } from '../src/write/sample/write-sample-network.ts'

/** Writes data/sample: two days of a tiny network whose token changes between them, and a tiny ledger of its past. */

/** The seed is one of those that give every type of reward. */
const network = { hotspots: 30, seed: 2 } as const

/** The periods end in two months, and so lie in two partitions. */
const days = { days: 2, start: '2025-01-30' } as const

/** The least that can be made, over as few months as its parts can lie in. */
const ledger = { transactions: 100, blocks: 90_000, start: '2023-02-10' } as const

export const sampleFolder = fileURLToPath(new URL('../data/sample', import.meta.url))

interface SampleSize {
  readonly files: number
  readonly bytes: number
}

/** Writes the sample into a folder. What is in its files is the same everywhere; gzip may pack it otherwise. */
export async function makeSample(out: string): Promise<SampleSize> {
  const oracle = await writeSampleNetwork({ ...network, ...days, out: join(out, 'oracle') })
  const archive = await writeSampleLedger({ ...network, ...ledger, out: join(out, 'ledger') })
  const lists = await writeHotspots({ ...network, out: join(out, 'ledger') })
  const written = [oracle, archive, lists]
  return {
    files: written.reduce((sum, { files }) => sum + files, 0),
    bytes: written.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await rm(sampleFolder, { recursive: true, force: true })
  const { files, bytes } = await makeSample(sampleFolder)
  console.log(`${files} files, ${bytes} bytes in data/sample`)
}
