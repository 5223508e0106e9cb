import fc from 'fast-check'
import { getVariableValues, Kind, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { resources } from '../../src/catalog/resources.ts'
import { graphqlSchemaOf } from '../../src/doors/graphql/schema/schema.ts'
import { examples } from '../../src/explorer/graphql/examples.ts'
import { operationAt, operationOffset } from '../../src/explorer/graphql/operations.ts'
import { indentedJson } from '../../src/explorer/values/pretty-json.ts'
import { bodyOf, hashOf, questionIn } from '../../src/explorer/values/question.ts'

const schema = graphqlSchemaOf(resources)

describe('a reply', () => {
  it('is indented, and keeps every digit', () => {
    const text =
      '{"a":18446744073709551615,"b":[-1.50,2e3],"c":"{\\"x\\": [1,2]}","d":{},"e":[ ],"f":[[null]]}'
    expect(indentedJson(text)).toBe(`{
  "a": 18446744073709551615,
  "b": [
    -1.50,
    2e3
  ],
  "c": "{\\"x\\": [1,2]}",
  "d": {},
  "e": [],
  "f": [
    [
      null
    ]
  ]
}`)
  })

  it('equals the output of JSON.stringify if that keeps all digits', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(indentedJson(JSON.stringify(value))).toBe(JSON.stringify(value, undefined, 2))
      }),
    )
  })

  it('that is not JSON is unchanged', () => {
    expect(['<h1>502</h1>', '{"a":1', ''].map(indentedJson)).toEqual(['<h1>502</h1>', '{"a":1', ''])
  })
})

describe('a query', () => {
  const query = 'query A { status } # {\nquery B { echo(message: "a b&c#d") }'

  it('is sent with its variables unchanged', () => {
    const variables = ' {"n": 18446744073709551615} '
    expect(bodyOf({ query: '{ a }', variables, operation: 'A' })).toBe(
      '{"query":"{ a }","variables":{"n": 18446744073709551615},"operationName":"A"}',
    )
    expect(bodyOf({ query: '"', variables: ' ' })).toBe('{"query":"\\""}')
  })

  it('is restored from its link unchanged', () => {
    const texts = fc.record({
      query: fc.string({ unit: 'grapheme' }),
      variables: fc.string({ unit: 'grapheme' }).filter((text) => text.trim() !== ''),
      operation: fc.string({ minLength: 1 }),
    })
    fc.assert(
      fc.property(texts, (question) => {
        const { search, hash } = new URL(hashOf(question), 'http://here/graphql')
        expect(questionIn({ search, hash })).toEqual(question)
      }),
    )
  })

  it('is also read from older links, which have it after ?', () => {
    const search = '?query=%7B%20status%20%7D&variables=%7B%22a%22%3A1%7D&operationName=A'
    const old = { query: '{ status }', variables: '{"a":1}', operation: 'A' }
    expect(questionIn({ search, hash: '' })).toEqual(old)
    expect(questionIn({ search, hash: '#query=x' })?.query).toBe('x')
    expect(questionIn({ search: '?as_of=1', hash: '#page' })).toBeUndefined()
  })

  it('runs the operation at the text cursor if there are several', () => {
    expect([0, query.length].map((cursor) => operationAt(query, cursor))).toEqual(['A', 'B'])
    expect([operationAt('query A { status }', 3), operationAt('{ status', 3)]).toEqual([undefined, undefined])
    expect([operationOffset(query, 'B'), operationOffset(query, 'C')]).toEqual([query.indexOf('query B'), 0])
  })
})

describe('examples', () => {
  it.each(examples)('$title is valid', ({ query, variables }) => {
    const document = parse(query)
    expect(validate(schema, document)).toEqual([])
    const declared = document.definitions.flatMap((one) =>
      one.kind === Kind.OPERATION_DEFINITION ? (one.variableDefinitions ?? []) : [],
    )
    const given = JSON.parse(variables || '{}') as Record<string, unknown>
    const taken = getVariableValues(schema, declared, given)
    expect(taken).not.toHaveProperty('errors')
    expect(declared.map(({ variable }) => variable.name.value)).toEqual(
      expect.arrayContaining(Object.keys(given)),
    )
  })
})
