import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type SampleSummary, writeSampleNetwork } from '../src/sample/write-sample-network.ts'

/** Writes data/sample/oracle: two days of a tiny network whose token changes between them. */

/**
 * The seed is one of those that give every type of reward. The first day has amounts beyond the whole numbers of a
 * double; the periods end in two months, and so lie in two partitions.
 */
const sample = { days: 2, hotspots: 12, seed: 2, start: '2025-01-30', switchOn: '2025-01-31' } as const

export const sampleFolder = fileURLToPath(new URL('../data/sample/oracle', import.meta.url))

/** Writes the sample into a folder. The messages are the same everywhere; gzip may pack them otherwise. */
export function makeSample(out: string): Promise<SampleSummary> {
  return writeSampleNetwork({ ...sample, out })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await rm(sampleFolder, { recursive: true, force: true })
  const { files, rows, bytes } = await makeSample(sampleFolder)
  console.log(`${files} files, ${rows} shares, ${bytes} bytes in data/sample/oracle`)
}
