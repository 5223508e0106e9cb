import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { doorwayOf, drawFolderGraph, grouped, printFolderGraph, ringsOf } from '../support/folder-graph.ts'

/** Levels of folders, lowest first; a folder may import folders of lower levels. */
const levels = [
  ['package.json'],
  ['base'],
  ['catalog'],
  ['lake', 'explorer'],
  ['index', 'keys', 'write'],
  ['engine'],
  ['operate'],
  ['answers'],
  ['doors'],
  ['services'],
  ['cli'],
]

/** Files that put their folder together: they stand above the folders below it, which import the other files beside them. */
const heads = [
  'catalog/embeddings.ts',
  'catalog/identities.ts',
  'catalog/resources.ts',
  'cli/bundle.ts',
  'cli/main.ts',
  'doors/build-server.ts',
  'doors/documents/documents.ts',
  'doors/documents/llms-text.ts',
  'index/keyed/key-index.ts',
]

const textOf = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

describe('the folder graph', () => {
  const graph = drawFolderGraph()
  const levelOf = (folder: string) => levels.findIndex((folders) => folders.includes(folder))

  it('has a level for every folder of src', () => {
    expect([...graph.arrows.keys()].filter((folder) => levelOf(folder) < 0)).toEqual([])
  })

  it('has imports in one direction only', () => {
    const wrong = [...graph.arrows].flatMap(([folder, imported]) =>
      imported
        .filter((target) => levelOf(target) >= levelOf(folder))
        .map((target) => `${folder} -> ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('has no cycle of files, types included', () => {
    expect(graph.files.size).toBeGreaterThan(300)
    expect(ringsOf(graph.files)).toEqual([])
  })

  it('has no cycle of folders at any level', () => {
    expect(heads.filter((file) => !graph.files.has(file))).toEqual([])
    const folders = grouped(graph.files, (file) => (heads.includes(file) ? file : dirname(file)))
    // The levels above order the files directly below src.
    expect(ringsOf(new Map([...folders].filter(([folder]) => folder !== '.')))).toEqual([])
  })

  it('finds a planted cycle', () => {
    const files = new Map([
      ['a/x.ts', ['a/b/y.ts']],
      ['a/b/y.ts', ['a/z.ts']],
      ['a/z.ts', []],
    ])
    expect(ringsOf(files)).toEqual([])
    expect(ringsOf(grouped(files, dirname))).toEqual(['a', 'a/b'])
    expect(ringsOf(new Map([...files, ['a/z.ts', ['a/x.ts']]]))).toEqual([...files.keys()])
  })

  it('has one importing folder for each package, as decision 22 lists', () => {
    const page = textOf('docs/decisions/0022-libraries-and-their-one-doorway.md')
    const rows = [...page.matchAll(/^\| ([^|]+) \|[^|]+\| `src\/([^`]+)` \|$/gm)]
    const named = rows.flatMap(([, names = '', doorway]) => names.split(', ').map((name) => [name, doorway]))
    expect(named.length).toBeGreaterThan(15)
    // What browsers load is a program of its own, with doors of its own.
    const isForBrowsers = (file: string) => file.startsWith('explorer/')
    const found = [...graph.packages].flatMap(([name, files]) =>
      [files.filter(isForBrowsers), files.filter((file) => !isForBrowsers(file))]
        .filter((part) => part.length > 0)
        .map((part) => [name, doorwayOf(part)]),
    )
    const sorted = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.join(' by ')).sort()
    expect(sorted(found)).toEqual(sorted(named))
  })

  it('is built on DuckDB, Arrow, Fastify, GraphQL and zod, which the product names as its own', () => {
    const named = [
      '@duckdb/node-api',
      'apache-arrow',
      'fastify',
      'graphql',
      'graphql-helix',
      'parquetjs-lite',
      'zod',
    ]
    expect(named.filter((name) => !graph.packages.has(name))).toEqual([])
  })

  it('finds the file or the smallest folder that imports a package', () => {
    expect(doorwayOf(['a/b/x.ts'])).toBe('a/b/x.ts')
    expect(doorwayOf(['a/b/x.ts', 'a/b/y.ts'])).toBe('a/b')
    expect(doorwayOf(['a/b/x.ts', 'a/bc/y.ts', 'a/b/z.ts'])).toBe('a')
    expect(doorwayOf(['a/x.ts', 'b/y.ts'])).toBe('.')
  })

  it('equals the graph in ARCHITECTURE.md', () => {
    expect(textOf('ARCHITECTURE.md')).toContain(printFolderGraph(graph))
  })
})
