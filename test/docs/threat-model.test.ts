import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { faultsOfNamed } from '../support/named-tests.ts'
import { some } from '../support/some.ts'

const page = readFileSync(new URL('../../docs/threat-model.md', import.meta.url), 'utf8')
const chapters = page.split('\n## ').slice(1)
const NAMED = /\[([^\]]+\.test\.ts)\]\(\.\.\/test\/\1\): "([^"]+)"/g

describe('the threat model', () => {
  it('lists all attackers, and ends with the unanswered attacks', () => {
    expect(chapters.map((chapter) => chapter.split('\n', 1)[0])).toEqual([
      'The files of a lake from somebody else',
      'Source files from somebody else',
      'Callers without a key',
      'Callers with a key',
      "The callers' browsers",
      'The proxy and the network',
      'Other users of the machine',
      'The supply chain',
      'The clock',
      'Not answered',
    ])
  })

  it.each(chapters.slice(0, -1).map((chapter) => [chapter.split('\n', 1)[0] ?? '', chapter]))(
    'answers each attack with a test that exists: %s',
    (_, chapter) => {
      const rows = chapter.split('\n').filter((line) => /^\| (?!---|Attack)/.test(line))
      for (const row of some(rows)) {
        const named = [...row.matchAll(NAMED)]
        expect([row, named.length]).not.toEqual([row, 0])
        expect(named.flatMap(([, file = '', title = '']) => faultsOfNamed(file, title))).toEqual([])
      }
    },
  )
})
