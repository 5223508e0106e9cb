import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeParts } from '../../bench/large/parts.ts'
import { derivedBytes } from '../../bench/peers/bytes.ts'
import { generatedShares } from '../../bench/support/facts.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const network = { name: 'small', days: 4, hotspots: 50, seed: '1' }

describe('a lake that is made in parts', () => {
  const request = { network, partDays: 2, derive: 'end', say: () => {} } as const

  it('is not changed once all its days are recorded', async () => {
    const parent = await temporaryFolder()
    const parts = [{ start: '2025-01-15', days: 4 }]
    writeFileSync(join(parent, 'parts.json'), JSON.stringify({ hotspots: 50, seed: '1', parts }))
    expect(await makeParts({ ...request, parent })).toEqual(parts)
  })

  it('is not continued with another network', async () => {
    const parent = await temporaryFolder()
    writeFileSync(join(parent, 'parts.json'), JSON.stringify({ hotspots: 60, seed: '1', parts: [] }))
    await expect(makeParts({ ...request, parent })).rejects.toThrow('about 60 hotspots and seed 1')
  })

  it('has the same sums as a lake made at once', () => {
    const parts = [
      generatedShares({ ...network, days: 2 }),
      generatedShares({ ...network, days: 2, start: '2025-01-17' }),
    ]
    const sums = new Map([...generatedShares(network)].map(([name]) => [name, 0n]))
    for (const part of parts) for (const [name, value] of part) sums.set(name, (sums.get(name) ?? 0n) + value)
    expect(sums).toEqual(generatedShares(network))
  })
})

it('derivedBytes adds up all indexes of a table', async () => {
  const state = await temporaryFolder()
  for (const [folder, bytes] of [
    ['one/t', 3],
    ['two/t/deep', 4],
    ['two/other', 5],
  ] as const) {
    mkdirSync(join(state, folder), { recursive: true })
    writeFileSync(join(state, folder, 'file'), 'x'.repeat(bytes))
  }
  expect(derivedBytes(state, 't')).toBe(7)
})
