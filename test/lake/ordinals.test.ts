import { expect, it } from 'vitest'
import { rejects } from '../../src/catalog/lake/rejects.ts'
import { readFacts, writeFacts } from '../../src/lake/facts/facts.ts'
import { readOrdinals, writeOrdinals } from '../../src/lake/facts/ordinals.ts'
import { madeUpSource } from '../support/tables/staged-files.ts'

it.each([
  ['0', [0n]],
  ['0-1', [0n, 1n]],
  ['3,5,7', [3n, 5n, 7n]],
  ['3,17-20,22', [3n, 17n, 18n, 19n, 20n, 22n]],
  ['9007199254740993-9007199254740995', [2n ** 53n + 1n, 2n ** 53n + 2n, 2n ** 53n + 3n]],
])('ordinals are written as %s and read back', (text, ordinals) => {
  expect(writeOrdinals(ordinals)).toBe(text)
  expect(readOrdinals(text)).toEqual(ordinals)
})

it('facts list retried messages only if there are some', () => {
  const plain = madeUpSource('a.gz')
  const retried = madeUpSource('b.gz', { refused: 3, retried: [4n, 5n] })
  const facts = writeFacts({ sources: [plain, { ...plain, retried: [] }, retried], chunks: [] })
  expect(JSON.stringify(facts).split('retried')).toHaveLength(2)
  expect(readFacts(rejects, facts)).toEqual({ sources: [plain, plain, retried], chunks: [] })
})
