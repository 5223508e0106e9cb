import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'

interface Audit {
  readonly id: string
  readonly name: string
  readonly status: 'ok' | 'notice' | 'warn' | 'error'
}

/** The audits of GraphQL over HTTP that graphql-http has for servers: MUST, SHOULD and MAY. */
const { auditServer } = createRequire(import.meta.url)('graphql-http') as {
  auditServer(options: { readonly url: string }): Promise<readonly Audit[]>
}

describe('the public audits of GraphQL over HTTP', () => {
  let audits: readonly Audit[]

  beforeAll(async () => {
    const { server } = await buildTestServer(await smallLake())
    const address = await server.listen({ host: '127.0.0.1', port: 0 })
    audits = await auditServer({ url: `${address}/graphql` })
  })

  it('all pass, including those marked MAY', () => {
    expect(audits).toHaveLength(61)
    const failed = audits.filter(({ status }) => status !== 'ok')
    expect(failed.map(({ id, name }) => `${id} ${name}`)).toEqual([])
  })
})
