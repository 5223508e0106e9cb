import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Feature, features } from '../../src/catalog/feature.ts'
import { addKey } from '../../src/keys/key-file.ts'
import { ask, type Target } from '../support/conformance/ask.ts'
import { type Chapter, corpusInputs, readCorpus } from '../support/conformance/corpus.ts'
import { casesFor, differenceOf } from '../support/conformance/run.ts'
import { embedded, ofArrays } from '../support/engines.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

interface OwnTarget extends Target {
  baseUrl: string
  graphqlUrl: string
  key?: string
  plainKey?: string
}

let ingested = ''
beforeAll(async () => {
  ingested = await temporaryFolder()
  expect(await ingestInto(ingested, corpusInputs)).toMatchObject({ failed: [], refusedRows: 0 })
})

/**
 * The corpus against our own server, over a real socket; each reply is compared at both levels. An engine that cannot read
 * by row number gives the same answers.
 */
describe.each([
  ['without keys', false, embedded],
  ['with keys', true, embedded],
  ['with an engine of arrays', false, ofArrays],
])('our server conforms %s', (_, isLocked, around) => {
  let server: TestServer
  const target: OwnTarget = {
    ...{ baseUrl: '', graphqlUrl: '', network: 'net', timeoutMs: 30_000 },
    // Which cases there are has to be known before the keys are.
    ...(isLocked && { key: 'a key', plainKey: 'a key without features' }),
  }

  beforeAll(async () => {
    const folder = await temporaryFolder()
    await cp(ingested, folder, { recursive: true })
    const newKey = (name: string, allowed: readonly Feature[]) =>
      addKey(
        join(folder, '_keys', 'keys.ndjson'),
        { name, features: allowed, ratePerMinute: null, quotaPer30Days: null, lookbackDays: null },
        new Date(),
      )
    if (isLocked) {
      target.key = await newKey('all', features)
      target.plainKey = await newKey('plain', [])
    }
    server = await buildTestServer(folder, undefined, around)
    const address = await server.server.listen({ port: 0, host: '127.0.0.1' })
    target.baseUrl = `${address}/v1`
    target.graphqlUrl = `${address}/graphql`
  })

  /** The whole corpus without keys, and with keys what is about them; of the rest some in npm test. */
  const isFor = ({ cases }: Chapter) =>
    around === embedded && (!isLocked || cases.some(({ needs, authorization }) => needs ?? authorization))
  const asked = readCorpus()
    .filter((chapter) => casesFor(chapter, 'decision', target).length > 0)
    .filter((chapter, place) => isFor(chapter) || place % scaled(around === embedded ? 12 : 36, 1) === 0)

  describe.each(asked)('$title', (chapter) => {
    const kept = new Map<string, string>()
    it.each(casesFor(chapter, 'decision', target))('$title', async (own) => {
      const reply = await ask(own, target, kept)
      expect(differenceOf(own, reply, { level: 'decision', kept })).toBeUndefined()
      // A case may pass at one level alone.
      if (own.level === 'decision') return
      expect(differenceOf(own, reply, { level: 'spec', kept }), 'at level spec').toBeUndefined()
    })
  })

  it('its data comes only from the engine under test', () => {
    expect(server.engine.work().statements > 0).toBe(around === embedded)
  })
})
