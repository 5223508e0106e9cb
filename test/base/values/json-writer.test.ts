import { describe, expect, it } from 'vitest'
import { Digits, type Json, Shared, Verbatim, writeJson } from '../../../src/base/values/json-writer.ts'

describe('writing JSON', () => {
  it.each<[Json, string]>([
    [null, 'null'],
    [true, 'true'],
    [false, 'false'],
    [0, '0'],
    [25, '25'],
    ['', '""'],
    ['a "quoted" \\ text', '"a \\"quoted\\" \\\\ text"'],
    ['line\nbreak\u0000\u2028', '"line\\nbreak\\u0000\u2028"'],
    ['Café 𝄞', '"Café 𝄞"'],
    ['\ud800', '"\\ud800"'],
    [0n, '0'],
    [-1n, '-1'],
    [2n ** 53n - 1n, '9007199254740991'],
    [2n ** 53n, '9007199254740992'],
    [2n ** 53n + 1n, '9007199254740993'],
    [2n ** 63n, '9223372036854775808'],
    [2n ** 64n - 1n, '18446744073709551615'],
    [(2n ** 64n - 1n) * 3n, '55340232221128654845'],
    [new Digits('31358.655119335628677836557476'), '31358.655119335628677836557476'],
    [[], '[]'],
    [{}, '{}'],
    [[1n, [null, 'x'], { a: [] }], '[1,[null,"x"],{"a":[]}]'],
    [{ 'a"b': 1n, nested: { big: 2n ** 64n } }, '{"a\\"b":1,"nested":{"big":18446744073709551616}}'],
  ])('writes case %#', (value, text) => {
    expect(writeJson(value)).toBe(text)
  })

  it('keeps the order of the members', () => {
    expect(writeJson({ z: 1, a: 2, m: 3 })).toBe('{"z":1,"a":2,"m":3}')
  })

  it('writes integers as strings on demand, at every depth, and nothing else', () => {
    const value: Json = {
      amount: 2n ** 64n - 1n,
      list: [1n, { inner: -5n }],
      count: 25,
      share: new Digits('0.75'),
      text: '7',
      nothing: null,
      yes: true,
    }
    expect(writeJson(value, true)).toBe(
      '{"amount":"18446744073709551615","list":["1",{"inner":"-5"}],"count":25,"share":0.75,"text":"7","nothing":null,"yes":true}',
    )
  })
})

describe('JSON text that is passed through', () => {
  const text =
    '{"fee": 9007199254740993, "scale": 1.50, "note": "7, \\"8\\": 9", "deep": [-1, 1e3, {"n": 0}]}'

  it('keeps every character', () => {
    expect(writeJson(new Verbatim(text))).toBe(text)
  })

  it('has large integers as strings on demand, and nothing else changed', () => {
    expect(writeJson(new Verbatim(text), true)).toBe(
      '{"fee": "9007199254740993", "scale": 1.50, "note": "7, \\"8\\": 9", "deep": ["-1", 1e3, {"n": "0"}]}',
    )
  })

  it('keeps integers that are known to be small', () => {
    expect(writeJson({ maker: new Verbatim('{"bump_seed": 251}', 'small') }, true)).toBe(
      '{"maker":{"bump_seed": 251}}',
    )
  })
})

describe('an object shared by many records', () => {
  it('is written like any other, with integers as numbers and as strings', () => {
    const object: Json = { price: 2n ** 64n, files: ['a "b"'], nothing: null }
    const records: Json = [{ of: new Shared(object) }, { of: new Shared({}) }]
    const shared = records[0] as { of: Shared }
    for (let time = 0; time < 2; time += 1) {
      expect(writeJson([shared, shared])).toBe(writeJson([{ of: object }, { of: object }]))
      expect(writeJson(records, true)).toBe(
        '[{"of":{"price":"18446744073709551616","files":["a \\"b\\""],"nothing":null}},{"of":{}}]',
      )
    }
  })

  it('is serialized once', () => {
    let read = 0
    const object = Object.defineProperty({}, 'price', {
      enumerable: true,
      get: () => {
        read += 1
        return 1502n
      },
    }) as { readonly price: bigint }
    const shared = new Shared(object)
    expect(writeJson([shared, shared, { of: shared }])).toBe(
      '[{"price":1502},{"price":1502},{"of":{"price":1502}}]',
    )
    expect(read).toBe(1)
  })
})
