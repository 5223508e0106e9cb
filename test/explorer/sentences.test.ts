import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { some } from '../support/some.ts'

/** Comments and templates are matched so that quotes in them begin no text. */
const TEXT = /\/\*[\s\S]*?\*\/|\/\/.*|`(?:\\.|[^`\\])*`|'((?:\\.|[^'\\\n])*)'/g

it('no sentence of the explorer contains an identifier of its code', () => {
  const folder = fileURLToPath(new URL('../../src/explorer/', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const sentences = files
    .flatMap((file) => [...readFileSync(folder + file, 'utf8').matchAll(TEXT)].map(([, text = '']) => text))
    .filter((text) => /[a-z] [a-z]/.test(text))
  expect(some(sentences).filter((text) => /\b[a-z]+[A-Z]/.test(text))).toEqual([])
})
