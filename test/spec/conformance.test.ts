import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingestInto } from '../support/build-lake.ts'
import { buildTestServer, type TestServer } from '../support/build-test-server.ts'
import type { Target } from '../support/conformance/ask.ts'
import { corpusInputs, levels, readCorpus } from '../support/conformance/corpus.ts'
import { casesFor, runCase } from '../support/conformance/run.ts'
import { makeFolder } from '../support/temporary-folder.ts'

/** The corpus against our own server, over a real socket; both levels are asked, since a case may pass one alone. */
describe('our server conforms', () => {
  let server: TestServer
  let remove: () => Promise<void>
  const target = { baseUrl: '', graphqlUrl: '', network: 'net', timeoutMs: 30_000 } satisfies Target

  beforeAll(async () => {
    const made = await makeFolder()
    remove = made.remove
    const summary = await ingestInto(made.folder, corpusInputs)
    expect(summary).toMatchObject({ failed: [], refusedRows: 0 })
    server = await buildTestServer(made.folder)
    const address = await server.server.listen({ port: 0, host: '127.0.0.1' })
    target.baseUrl = `${address}/v1`
    target.graphqlUrl = `${address}/graphql`
  })

  afterAll(async () => {
    await server.close()
    await remove()
  })

  // Without keys there is no 401 to ask for; a server with keys is asked in test/conformance.
  const open = readCorpus().filter((chapter) => casesFor(chapter, 'decision', target).length > 0)

  describe.each(open)('$title', (chapter) => {
    describe.each(levels)('at level %s', (level) => {
      const kept = new Map<string, string>()
      it.each(casesFor(chapter, level, target))('$title', async (own) => {
        const { request, difference } = await runCase(own, target, { level, kept })
        expect(difference, request).toBeUndefined()
      })
    })
  })
})
