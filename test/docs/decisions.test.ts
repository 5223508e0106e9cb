import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { faultsOfNamed } from '../support/named-tests.ts'
import { some } from '../support/some.ts'

const root = new URL('../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8')
const pages = readdirSync(new URL('docs/decisions', root)).filter((name) => /^\d{4}-/.test(name))

/** A line below *Tests*: a file of tests or of the corpus, and a title in it, after those of the groups that it is in. */
const LINE = /^- \[(.+)\]\(\.\.\/\.\.\/test\/\1\): "(.+)"$/
/** What is wrong with a line. */
function faultsOf(line: string): readonly string[] {
  const [, file = '', title = ''] = LINE.exec(line) ?? []
  if (file === '') return [`not a file and a title: ${line}`]
  return faultsOfNamed(file, title)
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
