import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compact } from '../../../src/write/compact/compact.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { craftArtifact, oneDay } from '../../support/messages/craft-artifacts.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { flipFacts } from '../../support/tables/flip-facts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

it('compact and ingest refuse a table with damaged facts, and process the others', async () => {
  const lake = await smallLake('a commit for each file')
  flipFacts(lake, 'iot_reward_shares')
  const done: string[] = []
  const running = compact({
    ...{ lake, months: ['2025-01'], openWriter: openTestWriter },
    onTable: (partitions) => done.push(...partitions.map(({ table }) => table)),
  })
  await expect(running).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringContaining('/iot_reward_shares/_facts/'),
  })
  expect(done).toContain('mobile_reward_shares')
  expect(done).not.toContain('iot_reward_shares')

  const input = join(await temporaryFolder(), 'in')
  mkdirSync(input)
  const report = { ...oneDay, reward_type: 'operational_reward', amount: 5n } as const
  craftArtifact(input, 'iot_reward_share', 1_738_110_600_001, [report])
  await expect(ingestInto(lake, [input])).rejects.toMatchObject({ code: 'lake_damaged' })
  const other = join(await temporaryFolder(), 'in')
  mkdirSync(other)
  craftArtifact(other, 'iot_witness_ingest_report', 1_738_110_600_001, [])
  expect(await ingestInto(lake, [other])).toMatchObject({ stored: 1, failed: [] })
})
