import { deepStrictEqual } from 'node:assert/strict'
import type { JsonObject } from '../../src/derive/json-writer.ts'
import { manifestReader } from '../../src/repository/manifests.ts'
import { openServices } from '../../src/services.ts'
import { readSettings } from '../../src/settings.ts'
import { readExact } from '../../test/support/exact-json.ts'
import { openClient } from '../support/client.ts'
import type { Asked } from '../support/load-process.ts'
import type { Question } from '../totals/questions.ts'
import { plainStatements } from '../totals/raw-duckdb.ts'
import type { Case, Label } from './cases.ts'
import { type Checker, checkPage, facetsOf, peerFacetsOf } from './check.ts'
import { type Implementation, inProcess, overHttp } from './measure.ts'
import type { Setup } from './setup.ts'

interface Page {
  readonly meta: JsonObject
  readonly records: readonly JsonObject[]
}

interface Implementations {
  /** Those that take part in a case at so many requests at a time; any that are not there are left out. */
  at(connections: number, implementations: readonly Label[]): readonly Implementation[]
}

/** Raw statements are made ahead, so many of a case. */
const STATEMENTS = 200
/** The original is so slow on ranges that only some of its answers are asked. */
const ASKED_OF_ORIGINAL = 200

/** Compares the answers of every implementation to every question of a case, and hands the questions over. Throws at a wrong one. */
export async function openImplementations(
  setup: Setup,
  asked: Case,
  checker: Checker,
): Promise<Implementations> {
  const { questions } = asked
  const name = (label: Label) => `${asked.id} ${asked.name} ${label}`
  const isTotals = questions[0]?.verb === 'totals'
  const bodies = isTotals ? await checker.totals(questions) : await pagesOf(setup, questions, checker)
  const { served, remembering, bare, load, postgres } = setup
  const whole = questions.map(
    ({ address }, index): Asked => ({ path: address, status: 200, body: bodies[index] ?? '' }),
  )

  await load.prepare(name('ours'), served.address, whole)
  await load.prepare(name('remembering'), remembering.address, whole)
  const client = openClient(bare.address)
  for (const { path, body = '' } of whole) await client.put(path, body)
  client.close()
  await load.prepare(name('bare'), bare.address, whole)
  if (postgres !== undefined) {
    for (const label of ['original', 'strong'] as const) {
      const own = whole.slice(0, label === 'original' ? ASKED_OF_ORIGINAL : whole.length).map(
        ({ path, body = '' }): Asked => ({
          path: `/${label}${path}`,
          status: 200,
          // Records of PostgreSQL have other members; they were compared one by one.
          ...(isTotals ? { body } : {}),
        }),
      )
      await load.prepare(name(label), postgres.server.address, own)
    }
  }
  const statements = await rawStatements(setup, questions.slice(0, STATEMENTS))
  return {
    at: (connections, implementations) =>
      implementations
        .filter((label) => postgres !== undefined || (label !== 'original' && label !== 'strong'))
        .map((label) =>
          label === 'duckdb'
            ? inProcess(label, async (index) => {
                for (const one of statements[index % statements.length] ?? []) await setup.raw.run(one)
              })
            : overHttp(load, label, name(label), connections),
        ),
  }
}

async function rawStatements({ at, lake }: Setup, questions: readonly Question[]) {
  const services = await openServices(readSettings({}, { lake }))
  const { prices } = await manifestReader(services.engine)(at)
  await services.close()
  return questions.map((question) => plainStatements(question, at, prices))
}

/** The bodies of pages, once their records are those of the files; those of PostgreSQL are compared as well. */
async function pagesOf(
  { served, postgres }: Setup,
  questions: readonly Question[],
  checker: Checker,
): Promise<readonly string[]> {
  const right = await checker.pages(questions)
  const ours = openClient(served.address)
  const peer = postgres && openClient(postgres.server.address)
  const bodies: string[] = []
  for (const [index, question] of questions.entries()) {
    const path = question.address
    const body = (await ours.get(path)).toString()
    bodies.push(body)
    const { meta, records } = readExact<Page>(body)
    checkPage(path, records.map(facetsOf), right[index])
    if (peer === undefined) continue
    const strong = readExact<Page>((await peer.get(`/strong${path}`)).toString())
    checkPage(`/strong${path}`, strong.records.map(peerFacetsOf), right[index])
    deepStrictEqual(strong.meta, meta)
    // Without an order the original's rows are some rows: as many, of as many pages.
    if (index > 0) continue
    const original = readExact<Page>((await peer.get(`/original${path}`)).toString())
    deepStrictEqual(original.meta, meta)
  }
  ours.close()
  peer?.close()
  return bodies
}
