import { describe, expect, it } from 'vitest'
import { numberWords } from '../../src/answers/search/name-words.ts'
import { hasPrefixNearly } from '../../src/answers/search/nearly.ts'
import { mayBeWords } from '../../src/answers/search/similar-names.ts'
import { runAtOnce } from '../../src/base/slices.ts'

/** The least number of changes of a letter, by definition: replace, add, remove, or swap two neighbours. */
function isOneChangeFrom(text: string, typed: string): boolean {
  const letters = [...new Set(text + typed)]
  const changed = new Set<string>([typed])
  for (let at = 0; at <= typed.length; at += 1) {
    const [before, after] = [typed.slice(0, at), typed.slice(at)]
    changed.add(before + after.slice(1))
    changed.add(before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2))
    for (const letter of letters) changed.add(before + letter + after).add(before + letter + after.slice(1))
  }
  return changed.has(text)
}

it('a word begins nearly with a text exactly if one change of a letter makes the text a beginning', () => {
  const words = ['furry', 'fury', 'linen', 'bee', 'abab', 'aab', 'furrier', 'urry']
  const typed = [
    'fury',
    'furyr',
    'ufrry',
    'limen',
    'lien',
    'beee',
    'bba',
    'baab',
    'aba',
    'urry',
    'xfurry',
    'fxrxy',
  ]
  let near = 0
  for (const word of words)
    for (const text of typed) {
      const beginnings = Array.from({ length: word.length + 1 }, (_, length) => word.slice(0, length))
      const expected = beginnings.some((one) => isOneChangeFrom(one, text))
      near += Number(expected)
      expect([word, text, hasPrefixNearly(word, text)]).toEqual([word, text, expected])
    }
  expect(near).toBeGreaterThan(12)
})

describe('the words of names', () => {
  const words = runAtOnce(
    numberWords(['Furry Linen Bee', 'furry-lilac-goat', 'able-cyan-gull', 'bee-cyan-gull']),
  )
  const find = (text: string, limit = 9) => runAtOnce(words.find(text, limit))

  it('find names by the beginnings of their words, in the order of the names', () => {
    expect(find('bee')).toEqual(['furry-linen-bee', 'bee-cyan-gull'])
    expect(find('cyan g')).toEqual(['able-cyan-gull', 'bee-cyan-gull'])
    expect(find('furry', 1)).toEqual(['furry-linen-bee'])
    expect(find('')).toEqual([])
  })

  it('find names with a wrong letter only if no name has the words', () => {
    expect(find('fury linen')).toEqual(['furry-linen-bee'])
    expect(find('gall')).toEqual(['able-cyan-gull', 'bee-cyan-gull'])
  })

  it('find names typed without blanks', () => {
    expect(find('furrylinenbee')).toEqual(['furry-linen-bee'])
    expect(find('ablecyang')).toEqual(['able-cyan-gull'])
    expect(find('furryxbee')).toEqual([])
  })

  it('are tried once at each letter of a text without blanks', () => {
    const repeated = runAtOnce(numberWords(['a b', 'aa b']))
    // Trying each way of splitting would take more than 10^12 steps.
    expect(runAtOnce(repeated.find(`${'a'.repeat(60)}x`, 9))).toEqual([])
    expect(runAtOnce(repeated.find('aab', 9))).toEqual(['a-b', 'aa-b'])
  })
})

it.each([
  ['bee', true],
  ['Furry', true],
  ['FURRYLINENBEE', true],
  ['furry linen', true],
  ['brave-0-heron ', true],
  ['be', false],
  ['112abc', false],
  ['ownerOfMany', false],
  ['11pCSNmPiUNvrY1aUQWpjbrThApdhr1afqrnDpbPdfJs2w5jHC8', false],
  ['a '.repeat(40), false],
])('%j may be words of a name: %s', (text, expected) => {
  expect(mayBeWords(text)).toBe(expected)
})
