import { rm } from 'node:fs/promises'
import { keptFolder } from '../../lake/disk/layout.ts'
import { type KeptRecords, keptInFolder } from '../../lake/vacuum/kept-records.ts'

type Texts = Awaited<ReturnType<KeptRecords['read']>>

/**
 * Writes the records of kept snapshots into a copy of their lake, in place of those of an interrupted copy. A damaged one
 * is copied as it is, so that `verify` names it.
 */
export async function copyKept(texts: Texts, to: string): Promise<void> {
  await rm(keptFolder(to), { recursive: true, force: true })
  for (const [name, text] of texts) await keptInFolder(to).write(name, text)
}

/**
 * Returns the records of `before` that still exist after the tables were copied. A record made meanwhile may name a
 * snapshot that the copy lacks, and a vacuum may have removed the files of a released one.
 */
export async function stillKept(before: Texts, records: KeptRecords): Promise<Texts> {
  const after = await records.read()
  return new Map([...before].filter(([name]) => after.has(name)))
}
