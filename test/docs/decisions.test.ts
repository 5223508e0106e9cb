import { readdirSync, readFileSync } from 'node:fs'
import { closest } from 'fastest-levenshtein'
import { describe, expect, it } from 'vitest'
import { some } from '../support/some.ts'

const root = new URL('../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8')
const pages = readdirSync(new URL('docs/decisions', root)).filter((name) => /^\d{4}-/.test(name))

/** A line below *Tests*: a file of tests or of the corpus, and a title in it, after those of the groups that it is in. */
const LINE = /^- \[(.+)\]\(\.\.\/\.\.\/test\/\1\): "(.+)"$/
const TITLE = /(?:\b(?:it|test|describe)(?:\.\w+)?|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1\s*,/g
const CORPUS_TITLE = /("title"): "(.+)"/g

function titlesIn(file: string): readonly string[] {
  const text = textOf(`test/${file}`)
  const titles = text.matchAll(file.endsWith('.json') ? CORPUS_TITLE : TITLE)
  return some([...titles].map(([, , title = '']) => title))
}

/** What is wrong with a line; a title that nobody has comes with the nearest one. */
function faultsOf(line: string): readonly string[] {
  const [, file = '', title = ''] = LINE.exec(line) ?? []
  if (file === '') return [`not a file and a title: ${line}`]
  const titles = titlesIn(file)
  const parts = file.endsWith('.json') ? [title] : title.split(' > ')
  return parts
    .filter((part) => !titles.includes(part))
    .map((part) => `${file} has no test "${part}"; the nearest is "${closest(part, titles)}"`)
}

describe('the decision pages', () => {
  it.each(pages)('%s has situation, choice and consequence, and names tests that exist', (name) => {
    const chapters = textOf(`docs/decisions/${name}`).split('\n## ')
    const headings = chapters.slice(1).map((chapter) => chapter.split('\n', 1)[0])
    const usual = ['Situation', 'Choice', 'Consequence', 'Tests']
    expect(headings.filter((heading) => usual.includes(heading ?? ''))).toEqual(usual)
    const [, ...lines] = (chapters.at(-1) ?? '').trimEnd().split('\n').filter(Boolean)
    expect(some(lines).flatMap(faultsOf)).toEqual([])
  })

  it('are all in the table of contents, each under its number and title', () => {
    const rows = textOf('docs/decisions/README.md').match(/^\| \d{4} \| \[.+?\]\(.+?\)/gm)
    expect(rows).toEqual(
      some(pages).map((name) => {
        const [, number, title] = /^# (\d{4})\. (.+)\n/.exec(textOf(`docs/decisions/${name}`)) ?? []
        return `| ${number} | [${title}](${name})`
      }),
    )
  })
})
