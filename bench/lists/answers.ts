import type { Client } from '../support/client.ts'
import { checkEqual } from '../support/equal-bodies.ts'
import type { Asked } from '../support/load-process.ts'
import type { ArchiveDatabase } from './archive-database.ts'
import { expect, firstAddress } from './check.ts'
import type { Sort } from './sorts.ts'

/** So many answers of each sort are compared with the archive itself. */
export const CHECKED = 12

/**
 * The requests of a sort and their right answers: the first ones as the archive says, and all of a selective sort as PostgreSQL
 * gives them, byte for byte. Throws at the first wrong one.
 */
export async function answersOf(
  sort: Sort,
  database: ArchiveDatabase,
  ours: Client,
  peer: Client | undefined,
): Promise<readonly Asked[]> {
  const asked: Asked[] = []
  const { questions, isSelective } = sort
  const checked = Math.min(CHECKED, questions.length)
  const compared = isSelective && peer !== undefined ? questions : questions.slice(0, checked)
  for (const [index, question] of compared.entries()) {
    const expected =
      index < checked ? await expect(database, sort, question, (index + 0.5) / checked) : undefined
    const path = expected?.address ?? firstAddress(sort, question)
    const body = await ours.get(path)
    expected?.check(body.toString())
    if (isSelective && peer !== undefined)
      checkEqual(path, { ours: body, PostgreSQL: await peer.get(`/strong${path}`) })
    asked.push({ path, status: 200, body: body.toString() })
  }
  return [...new Map(asked.map((one) => [one.path, one])).values()]
}
