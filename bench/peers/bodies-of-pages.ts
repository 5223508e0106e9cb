import type { JsonObject } from '../../src/base/values/json-writer.ts'
import { readExact } from '../../test/support/exact-json.ts'
import { openClient } from '../support/client.ts'
import { checkEqual } from '../support/equal-bodies.ts'
import { type Checker, checkPage, facetsOf } from './check.ts'
import type { Question } from './questions.ts'
import type { Setup } from './setup.ts'

interface Page {
  readonly meta: JsonObject
  readonly records: readonly JsonObject[]
}

/** The bodies of pages, once their records are those of the files and those of PostgreSQL the same, byte for byte. */
export async function bodiesOfPages(
  { served, postgres }: Pick<Setup, 'served' | 'postgres'>,
  questions: readonly Question[],
  checker: Checker,
): Promise<readonly string[]> {
  const right = await checker.pages(questions)
  const ours = openClient(served.address)
  const peer = postgres && openClient(postgres.server.address)
  const bodies: string[] = []
  for (const [index, { address: path }] of questions.entries()) {
    const [body, theirs] = await Promise.all([ours.get(path), peer?.get(`/strong${path}`)])
    bodies.push(body.toString())
    checkPage(path, readExact<Page>(body.toString()).records.map(facetsOf), right[index])
    if (theirs !== undefined) checkEqual(path, { ours: body, PostgreSQL: theirs })
  }
  ours.close()
  peer?.close()
  return bodies
}
