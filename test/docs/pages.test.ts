import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
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

  const foldersIn = (folder: string, recursive = true) =>
    readdirSync(new URL(folder, root), { recursive, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => join(relative(fileURLToPath(new URL(folder, root)), parentPath), name))

  it('introduces every folder of src in its README or the README of its parent', () => {
    const introduced = some(foldersIn('src')).filter((folder) => {
      if (!existsSync(new URL(`src/${folder}/README.md`, root))) return false
      const lines = textOf(`src/${folder}/README.md`).trimEnd().split('\n')
      expect(lines[0]).toBe(`# ${folder}`)
      expect(lines.length, folder).toBeLessThanOrEqual(8)
      return true
    })
    for (const folder of foldersIn('src').filter((own) => !introduced.includes(own)))
      expect(textOf(`src/${dirname(folder)}/README.md`)).toContain(`\`${basename(folder)}/\``)
  })

  it('introduces every folder of test, and no other, in its README', () => {
    const named = [...textOf('test/README.md').matchAll(/`([\w-]+)\/`/g)].map(([, name]) => name)
    expect(named.sort()).toEqual([...some(foldersIn('test', false))].sort())
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
