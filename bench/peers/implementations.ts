import { manifestReader } from '../../src/answers/records/manifests.ts'
import { openServices } from '../../src/services/services.ts'
import { readSettings } from '../../src/services/settings/settings.ts'
import { openClient } from '../support/client.ts'
import type { Asked } from '../support/load-process.ts'
import { plainStatements } from '../support/raw-duckdb.ts'
import { bodiesOfPages } from './bodies-of-pages.ts'
import type { Case, Label } from './cases.ts'
import type { Checker } from './check.ts'
import { type Implementation, inProcess, overHttp } from './measure.ts'
import type { Question } from './questions.ts'
import type { Setup } from './setup.ts'

interface Implementations {
  /** Those that take part in a case at so many requests at a time; any that are not there are left out. */
  at(connections: number, implementations: readonly Label[]): readonly Implementation[]
}

/** Raw statements are made ahead, so many of a case. */
const STATEMENTS = 200

/** Compares the answers of every implementation to every question of a case, and hands the questions over. Throws at a wrong one. */
export async function openImplementations(
  setup: Setup,
  asked: Case,
  checker: Checker,
): Promise<Implementations> {
  const { questions, turns } = asked
  const name = (label: Label) => `${asked.id} ${asked.name} ${label}`
  const isTotals = questions[0]?.verb === 'totals'
  const bodies = isTotals ? await checker.totals(questions) : await bodiesOfPages(setup, questions, checker)
  const whole = questions.map(
    ({ address }, index): Asked => ({ path: address, status: 200, body: bodies[index] ?? '' }),
  )
  const wanted = new Set(turns.flatMap(({ implementations }) => implementations))
  await handOver(setup, name, whole, wanted)
  const { load, postgres } = setup
  const statements = await rawStatements(setup, questions.slice(0, STATEMENTS))
  return {
    at: (connections, implementations) =>
      implementations
        .filter((label) => postgres !== undefined || label !== 'strong')
        .map((label) =>
          label === 'duckdb'
            ? inProcess(label, async (index) => {
                for (const one of statements[index % statements.length] ?? []) await setup.raw.run(one)
              })
            : overHttp(load, label, name(label), connections),
        ),
  }
}

/** Gives questions and their bodies to the load generator, in place of those before, for all that answer with the same bytes, and to those that only send them. */
export async function handOver(
  setup: Setup,
  name: (label: Label) => string,
  asked: readonly Asked[],
  wanted: ReadonlySet<Label>,
): Promise<void> {
  const { served, remembering, two, bare, fastify, load, postgres } = setup
  await load.forget()
  await load.prepare(name('ours'), served.address, asked)
  for (const [label, server] of Object.entries({ remembering, two, bare, fastify } as const)) {
    if (!wanted.has(label as Label)) continue
    await load.prepareLike(name(label as Label), server.address, name('ours'))
  }
  for (const [label, server] of Object.entries({ bare, fastify } as const)) {
    if (!wanted.has(label as Label)) continue
    const client = openClient(server.address)
    for (const { path, body = '' } of asked) await client.put(path, body)
    client.close()
  }
  if (postgres !== undefined && wanted.has('strong'))
    await load.prepareLike(name('strong'), postgres.server.address, name('ours'), '/strong')
}

async function rawStatements({ at, lake }: Setup, questions: readonly Question[]) {
  const services = await openServices(readSettings({}, { lake }))
  const { prices } = await manifestReader(services.engine)(at)
  await services.close()
  return questions.map((question) => plainStatements(question, at, prices))
}
