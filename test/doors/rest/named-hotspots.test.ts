import { beforeAll, describe, expect, it } from 'vitest'
import { embedded, ofArrays } from '../../support/engines.ts'
import { searchedLake } from '../../support/lakes/searched-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'

const engines = [
  ['the embedded engine', embedded],
  ['an engine of arrays', ofArrays],
] as const

const servers = new Map<string, TestServer>()

beforeAll(async () => {
  const lake = await searchedLake()
  for (const [name, around] of engines) servers.set(name, await buildTestServer(lake, 60_000, around))
})

const serverOf = (name: string) => servers.get(name) as TestServer
const queryOf = (name: string) => `?${new URLSearchParams({ name, per_page: '50' })}`

async function listOf(engine: string, path: string, name: string): Promise<readonly string[]> {
  const { status, text } = await serverOf(engine).get(path + queryOf(name))
  expect(status, text).toBe(200)
  const { records, objects } = JSON.parse(text)
  return (records ?? objects).map((one: Record<string, string>) => one.asset_id ?? one.address)
}

describe.each(engines)('a name, by %s,', (engine) => {
  it.each(['angry-purple-tiger', 'Angry Purple Tiger', '  angry PURPLE tiger', 'Angry_Purple-Tiger '])(
    'typed as %j finds the hotspots of that name alone',
    async (name) => {
      expect(await listOf(engine, '/l2/hotspots', name)).toEqual(['asset1', 'asset5'])
    },
  )

  it.each(['Angry Written Otherwise', 'angry-written-otherwise', 'angry written OTHERWISE'])(
    'typed as %j finds a hotspot whose stored name has capitals and blanks',
    async (name) => {
      expect(await listOf(engine, '/l2/hotspots', name)).toEqual(['asset4'])
    },
  )

  it('in neither spelling of a ledger is found only in its stored spelling', async () => {
    expect(await listOf(engine, '/l2/hotspots', 'ANGRY odd one')).toEqual(['asset6'])
    expect(await listOf(engine, '/l2/hotspots', 'angry-odd-one')).toEqual([])
  })

  it('is matched whole, and together with other filters', async () => {
    expect(await listOf(engine, '/l2/hotspots', 'angry-purple')).toEqual([])
    const { text } = await serverOf(engine).get(
      `/l2/hotspots${queryOf('Angry Purple Tiger')}&owner=ownerOfTwo`,
    )
    expect(JSON.parse(text).records).toEqual([])
  })
})
