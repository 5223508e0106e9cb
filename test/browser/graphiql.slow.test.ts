import { describe, it } from 'vitest'
import { browserPath } from '../support/browser.ts'
import { buildTestServer } from '../support/build-test-server.ts'
import { smallLake } from '../support/small-lake.ts'
import { tryGraphiql } from '../support/try-graphiql.ts'

describe.skipIf(browserPath === undefined)('GraphiQL in a browser', () => {
  it('shows its page, reads the schema and answers a query, and asks nobody but this server', async () => {
    const server = await buildTestServer(await smallLake())
    const address = await server.server.listen({ host: '127.0.0.1', port: 0 })
    await tryGraphiql(address)
  })
})
