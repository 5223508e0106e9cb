import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { drawFolderGraph, grouped, printFolderGraph, ringsOf } from '../support/folder-graph.ts'

/** From the foundation up; a room may import rooms below it. */
const floors = [
  ['package.json', 'errors'],
  ['catalog', 'version'],
  ['derive', 'settings'],
  ['query', 'wire'],
  ['lake', 'sample'],
  ['maintenance'],
  ['engine', 'sorted-copies', 'hotspot-index', 'keys', 'store'],
  ['repository', 'ingest', 'compact', 'sql'],
  ['server'],
  ['services'],
  ['cli'],
]

/** Where each outside package comes in; nowhere else. */
const doorways: Readonly<Record<string, readonly string[]>> = {
  '@duckdb/node-api': ['engine/duckdb'],
  '@bufbuild/protobuf/wire': ['wire'],
  '@fastify/compress': ['server/reply'],
  '@fastify/cors': ['server/hooks'],
  '@fastify/rate-limit': ['server/gate'],
  '@scure/base': ['wire'],
  'cli-progress': ['cli'],
  'close-with-grace': ['cli/commands'],
  commander: ['cli', 'cli/program'],
  'fastest-levenshtein': ['derive'],
  'lru-cache': ['server/reply'],
  fastify: [
    'server',
    'server/documents',
    'server/gate',
    'server/graphql',
    'server/hooks',
    'server/reply',
    'server/rest',
  ],
  graphql: ['server/graphql'],
  'graphql-helix': ['server/graphql'],
  'lossless-json': ['ingest/records'],
  'prom-client': ['server'],
  zod: ['.', 'derive', 'keys'],
}

/** Files that put their folder together: they stand above the folders below it, which import the other files beside them. */
const heads = [
  'catalog/embeddings.ts',
  'catalog/resources.ts',
  'cli/main.ts',
  'server/build-server.ts',
  'server/documents/documents.ts',
  'server/documents/llms-text.ts',
]

describe('the house', () => {
  const graph = drawFolderGraph()
  const floorOf = (room: string) => floors.findIndex((rooms) => rooms.includes(room))

  it('gives every room a floor', () => {
    expect([...graph.arrows.keys()].filter((room) => floorOf(room) < 0)).toEqual([])
  })

  it('has no arrow that runs up or along a floor, and so no ring', () => {
    const wrong = [...graph.arrows].flatMap(([room, imported]) =>
      imported.filter((target) => floorOf(target) >= floorOf(room)).map((target) => `${room} -> ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('has no ring of files, by types either', () => {
    expect(graph.files.size).toBeGreaterThan(300)
    expect(ringsOf(graph.files)).toEqual([])
  })

  it('has no ring of folders at any level', () => {
    expect(heads.filter((file) => !graph.files.has(file))).toEqual([])
    const folders = grouped(graph.files, (file) => (heads.includes(file) ? file : dirname(file)))
    // What lies directly below src stands on floors, see above.
    expect(ringsOf(new Map([...folders].filter(([folder]) => folder !== '.')))).toEqual([])
  })

  it('sees a ring where there is one', () => {
    const files = new Map([
      ['a/x.ts', ['a/b/y.ts']],
      ['a/b/y.ts', ['a/z.ts']],
      ['a/z.ts', []],
    ])
    expect(ringsOf(files)).toEqual([])
    expect(ringsOf(grouped(files, dirname))).toEqual(['a', 'a/b'])
    expect(ringsOf(new Map([...files, ['a/z.ts', ['a/x.ts']]]))).toEqual([...files.keys()])
  })

  it('lets each outside package in by its doorways alone', () => {
    expect(Object.fromEntries(graph.packages)).toEqual(doorways)
  })

  it('is the house that ARCHITECTURE.md draws', () => {
    const page = readFileSync(fileURLToPath(new URL('../../ARCHITECTURE.md', import.meta.url)), 'utf8')
    expect(page).toContain(printFolderGraph(graph))
  })
})
