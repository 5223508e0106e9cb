import { describe, expect, it } from 'vitest'
import { writeJson } from '../../../src/base/values/json-writer.ts'
import { prettyJson } from '../../../src/base/values/pretty-json.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { type Dialect, specifiedDialect } from '../../../src/doors/dialect/dialect.ts'
import { styleOf } from '../../../src/doors/documents/style-of.ts'
import { openApiDocument } from '../../../src/doors/open-api/document.ts'
import { specifiedForms } from '../../../src/doors/open-api/schemas/reply-forms.ts'
import { contentOf, type Documented } from '../../support/servers/documented.ts'

/** A made-up dialect that differs from the specification in everything. */
const odd: Dialect = {
  ...specifiedDialect,
  queries: {
    perPage: 50,
    givesFiles: false,
    takesDays: false,
    givesHostedSums: false,
    refusesUnknown: false,
    utcInWords: true,
  },
  envelopeOf: () => 'items',
  errorOf: ({ message }) => ({ status: 418, body: { message } }),
  spelling: { ...specifiedDialect.spelling, choice: (name) => name.replace(/_main$/, '_other') },
  forms: {
    ...specifiedForms,
    meta: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] },
    error: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    instant: { type: 'string', examples: ['2026-07-01 00:00:00 UTC'] },
    truncated: { type: 'string', examples: ['1.5'] },
  },
}

const documentOf = (dialect: Dialect) =>
  JSON.parse(
    writeJson(openApiDocument(resources, { prefix: '/v1/net', style: styleOf(dialect) })),
  ) as Documented

describe('the document of a server with another dialect', () => {
  const document = documentOf(odd)
  const list = document.paths['/v1/net/l2/mobile-reward-shares']?.get ?? { responses: {} }

  it('names and describes its pages in that dialect', () => {
    expect(contentOf(document, list, '200')?.schema).toMatchObject({
      properties: { meta: { $ref: '#/components/schemas/PageMeta' }, items: { type: 'array' } },
      required: ['meta', 'items'],
    })
    expect(document.components.schemas.PageMeta).toEqual(odd.forms?.meta)
    const perPage = list.parameters?.find(({ name }) => name === 'per_page')
    expect(perPage?.schema).toMatchObject({ default: 50, maximum: 100 })
  })

  it('has values in the format of that dialect', () => {
    const reply = JSON.stringify(contentOf(document, list, '200')?.examples?.reply?.value)
    expect(reply).toContain('"end_period":"2026-07-01 00:00:00 UTC"')
    const schemas = JSON.stringify(document.components.schemas)
    expect(schemas).toContain('mobile_reward_token_other')
    expect(schemas).not.toContain('reward_token_main')
    expect(JSON.stringify(document.components.schemas.RewardManifestIotDetail)).toContain(
      '"dc_bones_per_share":{"type":["string","null"],"examples":["1.5"]',
    )
  })

  it('has its errors under the statuses of that dialect, each with its example', () => {
    expect(Object.keys(list.responses)).toEqual(['200', '418'])
    const examples = contentOf(document, list, '418')?.examples ?? {}
    expect(Object.keys(examples)).toContain('malformed_request')
    expect(Object.keys(examples)).toContain('deadline_exceeded')
    expect(examples.overloaded?.value).toEqual({ message: expect.any(String) })
  })

  it('states that unknown parameters are refused, if they are', () => {
    const said = (dialect: Dialect) => JSON.stringify(documentOf(dialect)).includes('are refused by name')
    expect([said(specifiedDialect), said(odd)]).toEqual([true, false])
  })
})

describe('pretty JSON', () => {
  it('keeps short values on one line, with every digit', () => {
    const amount = 2n ** 64n - 1n
    expect(prettyJson({ a: [1, amount], b: {}, c: [] })).toBe(
      '{ "a": [1, 18446744073709551615], "b": {}, "c": [] }',
    )
    expect(prettyJson({ long: 'x'.repeat(60), list: ['y'.repeat(60), { z: null }] })).toBe(
      `{\n  "long": "${'x'.repeat(60)}",\n  "list": ["${'y'.repeat(60)}", { "z": null }]\n}`,
    )
    expect(JSON.parse(prettyJson([['x'.repeat(99)], { 'a"b': 'c\n' }]))).toEqual([
      ['x'.repeat(99)],
      { 'a"b': 'c\n' },
    ])
  })
})
