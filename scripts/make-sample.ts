import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeSampleLedger } from '../src/sample/l1-write-ledger.ts'
import { writeSampleNetwork } from '../src/sample/write-sample-network.ts'

/** Writes data/sample: two days of a tiny network whose token changes between them, and a tiny ledger. */

/**
 * The seed is one of those that give every type of reward. The first day has amounts beyond the whole numbers of a
 * double; the periods end in two months, and so lie in two partitions.
 */
const network = { days: 2, hotspots: 12, seed: 2, start: '2025-01-30', switchOn: '2025-01-31' } as const

/** The least that can be made, over as few months as its parts can lie in. */
const ledger = { transactions: 100, hotspots: 20, blocks: 90_000, seed: 1, start: '2023-02-10' } as const

export const sampleFolder = fileURLToPath(new URL('../data/sample', import.meta.url))

interface SampleSize {
  readonly files: number
  readonly bytes: number
}

/** Writes the sample into a folder. What is in its files is the same everywhere; gzip may pack it otherwise. */
export async function makeSample(out: string): Promise<SampleSize> {
  const oracle = await writeSampleNetwork({ ...network, out: join(out, 'oracle') })
  const archive = await writeSampleLedger({ ...ledger, out: join(out, 'ledger') })
  return { files: oracle.files + archive.files, bytes: oracle.bytes + archive.bytes }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await rm(sampleFolder, { recursive: true, force: true })
  const { files, bytes } = await makeSample(sampleFolder)
  console.log(`${files} files, ${bytes} bytes in data/sample`)
}
