import type { Members } from '../../../src/catalog/members.ts'
import { withGraphql } from '../../../src/doors/graphql/schema/graphql-face.ts'
import { camelCase, sumsFieldName } from '../../../src/doors/graphql/schema/graphql-fields.ts'
import { askGraphql } from '../ask-graphql.ts'
import { type Answer, summedColumns } from './expected.ts'
import { asOfText, type Question } from './question.ts'
import { addRecords, type Json, pathsOf, sumsIn } from './rest-doors.ts'
import type { DoorWorld } from './world.ts'

type Texts = Readonly<Record<string, string>>

/** Arguments of the list, by the parameters of REST that they are. */
function argumentsOf({ resource }: Question): Texts {
  const named = Object.entries(withGraphql(resource)?.graphql.arguments ?? {})
  const filters = named.map(([name, { filter }]) => [filter, name])
  const isOfEpochs = 'start_period' in resource.columns
  return { ...Object.fromEntries(filters), ...(isOfEpochs && { first_day: 'firstDay', last_day: 'lastDay' }) }
}

/** Whether the list has an argument for each filter. */
export function isOfGraphql(question: Question): boolean {
  const names = argumentsOf(question)
  return Object.keys(question.filters).every((filter) => filter in names)
}

const written = (pairs: readonly (readonly [string, unknown])[]) =>
  pairs.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ')

async function ask(
  { server, snapshots, headers }: DoorWorld,
  question: Question,
  query: string,
): Promise<Json> {
  const asOf = asOfText(question, snapshots)
  const url = asOf === undefined ? '/graphql' : `/graphql?as_of=${asOf}`
  const { data, text } = await askGraphql(server.server, query, {}, url, headers)
  if (data === undefined || data === null) throw new Error(`${query}: ${text}`)
  return data.asked as Json
}

export async function askConnection(world: DoorWorld, question: Question): Promise<Answer> {
  const { resource, filters } = question
  const face = withGraphql(resource)?.graphql
  if (face === undefined) throw new Error(`${resource.name} is not in GraphQL`)
  const names = argumentsOf(question)
  const given = Object.entries(filters).map(([filter, text]) => [names[filter] ?? filter, text] as const)
  const inCamelCase = (members: Members) =>
    Object.fromEntries(Object.entries(members).map(([name, member]) => [camelCase(name), member]))
  const all = [
    ...pathsOf(inCamelCase(face.fields), []),
    ...Object.entries(face.nested ?? {}).flatMap(([name, members]) =>
      pathsOf(inCamelCase(members), [camelCase(name)]),
    ),
  ]
  const summed = summedColumns(resource)
  const paths = new Map(all.filter(([column]) => summed.includes(column)))
  const fields = [...paths.values()].map(([first, second]) =>
    second === undefined ? first : `${first} { ${second} }`,
  )
  const records: Json[] = []
  for (let after = ''; ; ) {
    const call = written([...given, ['first', 100], ['after', after]])
    const query = `{ asked: ${face.query}(${call}) { nodes { id ${fields.join(' ')} } pageInfo { hasNextPage endCursor } } }`
    const { nodes, pageInfo } = await ask(world, question, query)
    records.push(...(nodes as readonly Json[]))
    const { hasNextPage, endCursor } = pageInfo as { hasNextPage: boolean; endCursor: string }
    if (!hasNextPage) return addRecords(resource, records, paths)
    after = endCursor
  }
}

const inSnakeCase = (record: Json): Json =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )

const columnsOf = (members: Members) => Object.keys(members).map(camelCase).join(' ')
const sameNames = ({ filters }: Question) =>
  Object.entries(filters).map(([name, text]) => [camelCase(name), text] as const)

export async function askGraphqlTotals(world: DoorWorld, question: Question): Promise<Answer> {
  const { resource } = question
  const { totals = {} } = resource
  const call = `${sumsFieldName(resource, 'totals')}(${written(sameNames(question))})`
  return sumsIn(totals, [
    inSnakeCase(await ask(world, question, `{ asked: ${call} { ${columnsOf(totals)} } }`)),
  ])
}

export async function askGraphqlSeries(world: DoorWorld, question: Question): Promise<Answer> {
  const { resource } = question
  const sums = resource.series?.sums ?? {}
  const given = sameNames(question).map(([name, text]) =>
    name === 'hotspotKey' ? (['hotspotKeys', [text]] as const) : ([name, text] as const),
  )
  const call = `${sumsFieldName(resource, 'series')}(interval: ALL, ${written(given)})`
  const { rows } = await ask(world, question, `{ asked: ${call} { rows { ${columnsOf(sums)} } } }`)
  return sumsIn(sums, (rows as readonly Json[]).map(inSnakeCase))
}
