import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, it } from 'vitest'
import { relay } from '../../src/doors/dialect/relay.ts'
import { readRounded, type SchemaCheck, schemaCheckOf } from '../support/schema-check.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { contentOf, type Documented, operationsIn } from '../support/servers/documented.ts'
import {
  type DocumentedServer,
  filled,
  openDocumentedServer,
  operationOf,
  type Page,
  recordsOf,
} from '../support/servers/documented-server.ts'

let served: DocumentedServer

beforeAll(async () => {
  served = await openDocumentedServer()
})

const documentAt = async (url: string) => readRounded<Documented>((await served.get(url)).body)

/**
 * Schemas of OpenAPI 3.0 for a validator of JSON Schema, which has a type `null` instead of `nullable`. By 3.0.3 that adds null to the type alone;
 * only beside a single reference, as generators read it, does it add null to all.
 */
function withNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNull)
  if (typeof value !== 'object' || value === null) return value
  const { nullable, example: _, ...schema } = value as Record<string, unknown>
  const members = Object.fromEntries(Object.entries(schema).map(([name, own]) => [name, withNull(own)]))
  if (nullable !== true) return members
  return 'allOf' in members
    ? { anyOf: [members, { type: 'null' }] }
    : { ...members, type: [members.type, 'null'] }
}

describe('/openapi-3.0.json', () => {
  it.each(['', '?integers=string'])('is OpenAPI 3.0 by the official schema%s', async (form) => {
    const validator = new Validator()
    expect(
      await validator.validate(readRounded((await served.get(`/openapi-3.0.json${form}`)).body)),
    ).toEqual({ valid: true })
    expect(validator.version).toBe('3.0')
  })

  it('is OpenAPI 3.0 by the official schema with --compat relay', async () => {
    const { server } = await buildTestServer(served.folder, 60_000, undefined, { dialect: relay })
    const { body } = await server.inject('/openapi-3.0.json')
    expect(await new Validator().validate(readRounded(body))).toEqual({ valid: true })
  })

  it('has the operations, parameters, statuses, types and schemas of /openapi.json', async () => {
    const outlineOf = (document: Documented) => [
      operationsIn(document).map(({ path, method, operation }) => [
        ...[path, method, operation.operationId],
        (operation.parameters ?? []).map((one) => [one.name, one.in, one.required, one.example]),
        Object.entries(operation.responses).map(([status, response]) => [
          ...[status, response.$ref, Object.keys(response.content ?? {})],
        ]),
      ]),
      Object.keys(document.components.schemas),
    ]
    expect(outlineOf(await documentAt('/openapi-3.0.json'))).toEqual(outlineOf(served.document))
  })

  let document: Documented
  let check: SchemaCheck
  beforeAll(async () => {
    document = JSON.parse(JSON.stringify(withNull(await documentAt('/openapi-3.0.json'))))
    check = schemaCheckOf(document)
  })

  it.each(filled)('accepts every record of %s, and no null that is not allowed', async (path) => {
    const { schema = {} } = contentOf(document, operationOf(document, path), '200') ?? {}
    const page: Page = await served.pageOf(path, 'per_page=100')
    expect(recordsOf(page).length).toBeGreaterThan(1)
    expect(check.faultsOf(schema, page)).toEqual([])
    const wrong = JSON.parse(JSON.stringify(page).replace(/"id":"[^"]*"/, '"id":null')) as Page
    expect(check.faultsOf(schema, wrong)).not.toEqual([])
  })
})

describe('both documents', () => {
  const linkOf = (document: Documented) => (document as { externalDocs?: { url: string } }).externalDocs?.url

  it.each([
    ['/openapi.json', '/openapi.json?integers=string'],
    ['/openapi.json?integers=string', '/openapi.json'],
    ['/openapi-3.0.json', '/openapi-3.0.json?integers=string'],
    ['/openapi-3.0.json?integers=string', '/openapi-3.0.json'],
  ])('%s links the other form of integers by an address with scheme and host: %s', async (url, other) => {
    for (const host of ['lake.example', 'localhost:8080']) {
      const { body } = await served.server.server.inject({ url, headers: { host } })
      expect(linkOf(readRounded<Documented>(body))).toBe(`http://${host}${other}`)
    }
    expect((await served.get(other)).statusCode).toBe(200)
  })
})

describe('a schema', () => {
  it('has no member of its own name, which would be a field of the name of its class', () => {
    const same = Object.entries(served.document.components.schemas).flatMap(
      ([schema, { properties = {} }]: [string, { properties?: object }]) =>
        Object.keys(properties)
          .filter((name) => name.replaceAll('_', '').toLowerCase() === schema.toLowerCase())
          .map((name) => `${schema}.${name}`),
    )
    expect(same).toEqual([])
  })

  it('of one response is the same in each media type of it, so that a generated client knows its type', () => {
    const different = operationsIn(served.document).flatMap(({ path, method, operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content = {} }]) => {
        const types = Object.values(content).map(({ schema }) =>
          JSON.stringify('$ref' in schema ? schema : (schema as { type?: string }).type),
        )
        return new Set(types).size > 1 ? [`${method} ${path} ${status}`] : []
      }),
    )
    expect(different).toEqual([])
  })
})
