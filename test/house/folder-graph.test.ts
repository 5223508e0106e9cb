import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { drawFolderGraph, printFolderGraph } from '../support/folder-graph.ts'

/** From the foundation up; a room may import rooms below it. */
const floors = [
  ['package.json', 'errors'],
  ['catalog', 'version'],
  ['derive', 'settings'],
  ['query', 'wire'],
  ['lake', 'sample'],
  ['engine', 'sorted-copies', 'hotspot-index', 'keys'],
  ['repository', 'ingest'],
  ['server', 'compact'],
  ['services'],
  ['cli'],
]

/** Each outside package comes in by one doorway. */
const doorways: Readonly<Record<string, readonly string[]>> = {
  '@duckdb/node-api': ['engine/duckdb'],
  '@bufbuild/protobuf/wire': ['wire'],
  '@fastify/compress': ['server/reply'],
  '@fastify/cors': ['server/hooks'],
  '@fastify/rate-limit': ['server/gate'],
  '@scure/base': ['wire'],
  'cli-progress': ['cli'],
  'close-with-grace': ['cli/commands'],
  commander: ['cli'],
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

  it('lets each outside package in by one doorway', () => {
    expect(Object.fromEntries(graph.packages)).toEqual(doorways)
  })

  it('is the house that ARCHITECTURE.md draws', () => {
    const page = readFileSync(fileURLToPath(new URL('../../ARCHITECTURE.md', import.meta.url)), 'utf8')
    expect(page).toContain(printFolderGraph(graph))
  })
})
