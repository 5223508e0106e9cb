import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Cell, writeCsvPart } from '../support/archive/csv.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { deriveBlocks } from '../support/lakes/derive-all.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('a filter finds only rows of its value if the index by a column has the order of the table', async () => {
  const home = await temporaryFolder()
  const nulls = (count: number): Cell[] => Array.from({ length: count }, () => null)
  // Of one owner, so the copy by owners has the rows in the order of the table, which is by addresses.
  const line = (address: string): Cell[] => [
    ...[address, 'owner-m', ...nulls(3), '{}', '1', '2', '0', `name-${address}`, null, null, '0', '12', null],
    ...['full', null],
  ]
  writeCsvPart(join(home, 'gateway_inventory', 'data_0.csv.gz'), ['gate-a', 'gate-b'].map(line))
  const lake = join(home, 'lake')
  await ingestInto(lake, [join(home, 'gateway_inventory')])
  await deriveBlocks(lake)
  const { get } = await buildTestServer(lake)
  const found = async (query: string) => {
    const { objects } = JSON.parse((await get(`/l1/gateways?${query}`)).text)
    return (objects as { address: string }[]).map(({ address }) => address)
  }
  for (const value of ['aaa', 'gate-z', 'zzz']) {
    expect(await found(`address=${value}`)).toEqual([])
    expect(await found(`owner_address=${value}`)).toEqual([])
  }
  expect(await found('address=gate-b')).toEqual(['gate-b'])
  expect(await found('owner_address=owner-m')).toEqual(['gate-a', 'gate-b'])
})
