import { readFileSync } from 'node:fs'
import { closest } from 'fastest-levenshtein'
import { some } from './some.ts'

/** Tests that pages name: a file below `test`, and a title in it, after those of the groups that it is in. */

const TITLE = /(?:\b(?:it|test|describe)(?:\.\w+)?|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1\s*,/g
const CORPUS_TITLE = /("title"): "(.+)"/g

function titlesIn(file: string): readonly string[] {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  const titles = text.matchAll(file.endsWith('.json') ? CORPUS_TITLE : TITLE)
  return some([...titles].map(([, , title = '']) => title))
}

/** What is wrong with a file and a title; a title that nobody has comes with the nearest one. */
export function faultsOfNamed(file: string, title: string): readonly string[] {
  const titles = titlesIn(file)
  const parts = file.endsWith('.json') ? [title] : title.split(' > ')
  return parts
    .filter((part) => !titles.includes(part))
    .map((part) => `${file} has no test "${part}"; the nearest is "${closest(part, titles)}"`)
}
