import { describe, expect, it } from 'vitest'
import { type Dialect, specifiedDialect } from '../../src/doors/dialect/dialect.ts'
import { relay } from '../../src/doors/dialect/relay.ts'
import { readExact } from '../support/exact-json.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { readRounded, schemaCheckOf } from '../support/schema-check.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { type Documented, exampleAddress, operationsIn, responseIn } from '../support/servers/documented.ts'
import { scaled } from '../support/tier.ts'

/** The addresses of an operation: by its examples, and with each name of each closed set besides. */
function addressesOf(
  path: string,
  operation: Documented['paths'][string][string],
  hasNames: boolean,
): readonly string[] {
  const address = exampleAddress(path, operation)
  const more = (operation.parameters ?? [])
    // The two forms of integers have a document each.
    .filter(({ name, example }) => example === undefined && name !== 'integers')
    .flatMap(({ name, schema }) => ((schema.enum ?? []) as string[]).map((value) => `${name}=${value}`))
  return [
    address,
    ...(hasNames ? more : []).map((query) => `${address}${address.includes('?') ? '&' : '?'}${query}`),
  ]
}

describe.each(
  scaled<readonly (readonly [string, Dialect, string])[]>(
    [
      ['as specified', specifiedDialect, '?integers=string'],
      ['with --compat relay', relay, ''],
    ],
    [
      ['as specified', specifiedDialect, ''],
      ['as specified, with integers as text', specifiedDialect, '?integers=string'],
      ['with --compat relay', relay, ''],
      ['with --compat relay, with integers as text', relay, '?integers=string'],
    ],
  ),
)('every documented operation, %s,', (_which, dialect, form) => {
  it('answers its example, and each name of a closed set with it, in a documented status, type and form', async () => {
    const { spelling } = dialect
    const { server } = await buildTestServer(await smallLake(), 60_000, undefined, { dialect }, { spelling })
    const text = (await server.inject(`/openapi.json${form}`)).body
    const document = readRounded<Documented>(text)
    const check = schemaCheckOf(document)
    const faults: unknown[] = []
    let asked = 0
    for (const [place, { path, method, operation }] of operationsIn(readExact<Documented>(text)).entries()) {
      const [body] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})
      for (const url of addressesOf(
        path,
        operation,
        (place + (dialect === relay ? 2 : 0)) % scaled(8, 1) === 0,
      )) {
        const reply = await server.inject(
          method === 'post'
            ? { method: 'POST', url, payload: body?.value as object }
            : { method: 'GET', url },
        )
        const { statusCode: status } = reply
        const type = String(reply.headers['content-type']).replace(/;.*/, '')
        const documented = document.paths[path]?.[method]
        const content = documented && responseIn(document, documented, String(status))?.content?.[type]
        const value = type === 'application/json' ? readRounded(reply.body) : ''
        const found = content === undefined ? ['not documented'] : check.faultsOf(content.schema, value)
        if (found.length > 0) faults.push([url, status, type, ...found])
        asked += 1
      }
    }
    expect(faults).toEqual([])
    expect(asked).toBeGreaterThan(scaled(40, 80))
  })
})
