import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const src = fileURLToPath(new URL('../../src', import.meta.url))

/** Keys and requests are accepted or not; a value is expected, or is one to use. "x is no y" should say what x must be, or is not. */
const vague =
  /(?<!\bno key |\bthat )\b(is|are) accepted\b|(?<!\b(?:there|that|which) )\bis no (?!longer)\w|\blists? of texts\b/i

const linesOf = (text: string) => text.split('\n').filter((line) => !/^\s*(\/\*\*|\*|\/\/)/.test(line))

it('no error sentence of src contains "is accepted", "is no …" or "list of texts"', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) =>
    linesOf(readFileSync(join(src, file), 'utf8'))
      .filter((line) => vague.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})

it.each([
  "'epoch is 9; at most 8 is accepted'",
  '`7 are accepted: block, time`',
  "'query is no text'",
  "'a list of texts'",
])('the check finds %s', (text) => {
  expect(vague.test(text)).toBe(true)
})
