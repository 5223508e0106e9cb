import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { some } from '../support/some.ts'

const root = new URL('../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8')
const wordsOf = (text: string) => text.trim().split(/\s+/)

describe('pages for readers', () => {
  it('has a README of at most 1,000 words, with links to the guide and the glossary', () => {
    const readme = textOf('README.md')
    expect(wordsOf(readme).length).toBeLessThanOrEqual(1000)
    expect(readme).toContain('](docs/guide/README.md)')
    expect(readme).toContain('](docs/glossary.md)')
  })

  it('has a README of a few lines in every room of src, named after it', () => {
    const rooms = readdirSync(new URL('src', root), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    )
    for (const { name } of some(rooms)) {
      const lines = textOf(`src/${name}/README.md`).trimEnd().split('\n')
      expect(lines[0]).toBe(`# ${name}`)
      expect(lines.length, name).toBeLessThanOrEqual(8)
    }
  })

  it('lists every page of the guide in its table of contents', () => {
    const names = readdirSync(new URL('docs/guide', root)).filter((name) => name !== 'README.md')
    const contents = textOf('docs/guide/README.md')
    expect(some(names).filter((name) => !contents.includes(`](${name})`))).toEqual([])
  })

  it('keeps the words of the glossary in order, each once', () => {
    for (const chapter of some(textOf('docs/glossary.md').split('\n## ').slice(1))) {
      const words = [...chapter.matchAll(/^\| ([^|]+?) \| /gm)].map(([, word = '']) => word.toLowerCase())
      const [, ...terms] = words
      expect(some(terms)).toEqual([...new Set(terms)].sort())
    }
  })
})
