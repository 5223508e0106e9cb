import { expect, it } from 'vitest'
import { type Json, Shared } from '../../../src/base/values/json-writer.ts'
import { prettyJson } from '../../../src/base/values/pretty-json.ts'

it('an object shared by many records is shown like any other, on one line or on several', () => {
  const price: Json = { price: 2n ** 64n - 1n }
  const files: Json = { files: Array.from({ length: 9 }, (_, number) => `reward_share.${number}.gz`) }
  for (const [object, lines] of [
    [price, 1],
    [files, 15],
  ] as const) {
    const shown = prettyJson({ manifest: new Shared(object) })
    expect(shown).toBe(prettyJson({ manifest: object }))
    expect(shown.split('\n')).toHaveLength(lines)
  }
})
