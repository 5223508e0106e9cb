import { beforeAll, describe, expect, it } from 'vitest'
import { resources } from '../../../src/catalog/resources.ts'
import { specifiedDialect } from '../../../src/doors/dialect/dialect.ts'
import { graphqlSchemaOf } from '../../../src/doors/graphql/schema/schema.ts'
import { allTools } from '../../../src/doors/mcp/tools.ts'
import { hotspot } from '../../support/lakes/make-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { routesIn } from '../../support/servers/documented.ts'
import { sharingOf } from '../../support/servers/sharing.ts'
import { some } from '../../support/some.ts'
import { type Question, questionsOf } from '../gate/holds/questions.ts'

let test: TestServer
let questions: readonly Question[]

beforeAll(async () => {
  const lake = await smallLake('with all indexes')
  // A queue without any room: whatever needs a turn is refused.
  const openSql = async () => ({ close: async () => {} }) as never
  const options = { mostWaitMs: 0, openSql, isSqlOpen: true, ...sharingOf(lake) }
  test = await buildTestServer(lake, 60_000, undefined, options)
  await test.server.ready()
  const key = hotspot(1).text
  const range = { from: '2025-01-20', to: '2025-02-20' }
  questions = questionsOf({ ...range, hotspot: key, owner: 'nobody', keys: [key] })
})

/** Asks a question, and says whether it was refused for want of room; the reply where that has another error. */
async function isRefused({ path, body }: Question): Promise<boolean | string> {
  const { statusCode, body: text } = await test.server.inject({
    ...{ url: path, method: body === undefined ? 'GET' : 'POST' },
    headers: {
      ...{ accept: 'application/json, text/event-stream' },
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  // Replies to a POST may have errors in a 200; changes of shared tables are never offered.
  const isWrong =
    body !== undefined && /malformed_request|GRAPHQL_|"message":"(Cannot|Unknown|Argument)/.test(text)
  const isExpected = [200, 404, 503].includes(statusCode) || path.includes('/changes')
  if (isWrong || !isExpected) return `${statusCode} ${text.slice(0, 300)}`
  return statusCode === 503 || text.includes('as much to do as it can finish')
}

describe('the most expensive request of each operation', () => {
  it('is listed for every route, GraphQL field and MCP tool', () => {
    const operations = [
      ...routesIn(test.server.printRoutes({ commonPrefix: false })),
      ...Object.keys(graphqlSchemaOf(resources).getQueryType()?.getFields() ?? {}).map(
        (name) => `graphql ${name}`,
      ),
      ...allTools(resources, specifiedDialect, '').map(({ name }) => `mcp ${name}`),
    ]
    expect([...new Set(questions.map((question) => question.of))].sort()).toEqual(operations.sort())
  })

  it('returns 503 while the queue is full, unless its response needs no computation', async () => {
    const constant = some(questions.filter(({ isQueued }) => isQueued !== 'at first'))
    const seen = []
    for (const question of constant) seen.push(`${question.of} ${question.path} ${await isRefused(question)}`)
    expect(seen).toEqual(constant.map(({ of, path, isQueued }) => `${of} ${path} ${isQueued}`))
  })
})
