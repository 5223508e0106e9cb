import { expect, it } from 'vitest'
import { manifestReader } from '../../src/answers/records/manifests.ts'
import { openMakers, recordMaker } from '../../src/answers/records/records.ts'
import { writeJson } from '../../src/base/values/json-writer.ts'
import { hotspots } from '../../src/catalog/l2/hotspots.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { makers } from '../../src/catalog/l2/makers.ts'
import { toRowsPlan } from '../../src/catalog/query/to-plan.ts'
import { specifiedSpelling } from '../../src/catalog/records/spelling.ts'
import type { Resource, Row } from '../../src/catalog/resource.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { openServices } from '../../src/services/services.ts'
import { readSettings } from '../../src/services/settings/settings.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { some } from '../support/some.ts'

it('records are built synchronously once their embedded rows are cached', async () => {
  const folder = await smallLake()
  const { engine, close } = await openServices(readSettings({}, { lake: folder }))
  const at = await new Lake(folder).latest()
  const rowsOf = (resource: Resource): Promise<readonly Row[]> =>
    engine.rows(toRowsPlan(resource, {}, { page: 1, perPage: 20 }), at)
  const [makersAt, manifestsAt] = [openMakers(engine, specifiedSpelling), manifestReader(engine)]
  const toRecords = recordMaker(makersAt, manifestsAt, specifiedSpelling)

  const shares = some(await rowsOf(iotRewardShares))
  expect(toRecords.peek(iotRewardShares, shares, at)).toBeUndefined()
  const later = await toRecords(iotRewardShares, shares, at)
  expect(writeJson(later)).toContain('"reward_manifest":{"id":')
  expect(writeJson(toRecords.peek(iotRewardShares, shares, at) ?? null)).toBe(writeJson(later))

  const few = some(await rowsOf(hotspots))
  expect(toRecords.peek(hotspots, few, at)).toBeUndefined()
  await makersAt(at)
  expect(toRecords.peek(hotspots, few, at)).toHaveLength(few.length)

  // They embed nothing.
  const all = some(await rowsOf(makers))
  expect(writeJson(toRecords.peek(makers, all, at) ?? null)).toBe(writeJson(await toRecords(makers, all, at)))
  await close()
})
