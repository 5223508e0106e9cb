import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { resources } from '../../src/catalog/resources.ts'
import { BLOCKS_MAGIC } from '../../src/index/blocks/block-layout.ts'
import { KEYS_MAGIC } from '../../src/index/keyed/key-file-contents.ts'
import { WORTH_SEARCHING_ROWS } from '../../src/index/maintenance/derived.ts'
import { COMPACTED_GROUP_ROWS, chunkRowsOf } from '../../src/lake/facts/chunk.ts'
import { FORMAT } from '../../src/lake/log/table-format.ts'
import { blocksOf } from '../support/guides/blocks.ts'
import { guides, guideText } from '../support/guides/run-guide.ts'
import { some } from '../support/some.ts'

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const { version } = manifest
const digits = (count: number) => count.toLocaleString('en-US')

describe('the page about upgrading', () => {
  const rows = textOf('docs/guide/upgrade.md')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  /** First and last cell of the one row whose first cell has a text. */
  const rowOf = (text: string) => {
    const [row = []] = some(rows.filter(([, first]) => first?.includes(text)))
    return [row[1], row.at(-2)]
  }

  it('has the version of the package as the newest one, and its data format', () => {
    expect(rows[0]?.at(-2)).toBe(version)
    expect(rowOf('writes data format')[1]).toBe(String(FORMAT))
    expect(rowOf(`tables of format ${FORMAT}`)[1]).toBe('reads, writes')
    expect(textOf('docs/guide/upgrade.md')).toContain(`*this version* is ${version}.`)
  })

  it.each([
    ['index by hotspot', KEYS_MAGIC],
    ['row indexes', BLOCKS_MAGIC],
    ['compacted shares', digits(COMPACTED_GROUP_ROWS)],
  ])('names the format of %s that the program writes', (name, format) => {
    const [first, last] = rowOf(name)
    expect(first).toContain(format)
    // The index says which of several it is, by the end of its name.
    if (/\bbuilds its own|^\d/.test(last ?? ''))
      expect(format.endsWith(`${Number.parseInt(last ?? '', 10)}`)).toBe(true)
  })
})

it('a version with unreleased changes differs from all released versions', () => {
  const headings = textOf('CHANGELOG.md')
    .split('\n')
    .filter((line) => line.startsWith('## '))
  const [, next = ''] = headings
  if (next === '## Unreleased') expect(some(headings).join('\n')).not.toContain(`## ${version},`)
  else expect(next).toMatch(`## ${version}, `)
})

it.each([
  ['docs/guide/install.md', `\n${version}\nNode `],
  ['docs/guide/install.md', `ledgerlake-${version}.tgz`],
  ['docs/guide/operating.md', `ledgerlake ${version}, data format ${FORMAT}, `],
])('%s shows this version: %j', (path, shown) => {
  expect(textOf(path)).toContain(shown)
})

it.each(['README.md', 'CONTRIBUTING.md', 'docs/guide/install.md'])(
  '%s names the versions of Node that the package accepts',
  (path) => {
    // "^20.19.0 || ^22.13.0 || >=24.0.0"
    const parts = manifest.engines.node.split(' || ').map((part) => part.replace(/^\^|^>=|(\.0)+$/g, ''))
    expect(textOf(path)).toContain(`Node ${parts.slice(0, -1).join(', ')} or ${parts.at(-1)} and later`)
  },
)

it('decision 30 has the sizes of chunks, and the rows from which tables get indexes', () => {
  const text = textOf('docs/decisions/0030-chunks-copies-and-pointers.md')
  const sizes = new Set(resources.filter(({ access }) => access !== undefined).map(chunkRowsOf))
  for (const size of some([...sizes])) expect(text).toContain(digits(size))
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    `tables below ${digits(WORTH_SEARCHING_ROWS)} rows need none`,
  )
})

it('commands of guides begin with bin/ledgerlake, as in a clone, unless the page says how to install', () => {
  const installed = new Set(['install.md', 'administrator.md', 'scaling.md'])
  for (const name of some(guides)) {
    const lines = blocksOf(guideText(name)).flatMap(({ text }) => text.split('\n'))
    const isBare = lines.some((line) => /^ledgerlake [a-z-]/.test(line))
    expect([name, isBare]).toEqual([name, installed.has(name)])
    if (isBare && name !== 'install.md') expect(guideText(name)).toContain('](install.md')
  }
})
