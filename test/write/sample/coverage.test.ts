import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Coverage } from '../../../src/answers/coverage/coverage.ts'
import { lateFolder, writeSampleNetwork } from '../../../src/write/sample/write-sample-network.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

it('the status lists the days that a sample leaves out, and those that came late', async () => {
  const folder = await temporaryFolder()
  const [out, lake] = [join(folder, 'sample'), join(folder, 'lake')]
  await writeSampleNetwork({
    ...{ out, seed: 5, days: 5, hotspots: 20, start: '2025-01-28' },
    ...{ missingDays: ['2025-01-29'], missingManifests: ['2025-01-31'], lateFiles: ['2025-01-30'] },
  })

  async function coverages() {
    const { get, close } = await buildTestServer(lake)
    onTestFinished(close)
    const { tables } = JSON.parse((await get('/status')).text) as { tables: { coverage: Coverage }[] }
    return tables.slice(0, 2).map(({ coverage: { epochs, manifests, files } }) => {
      return { epochs, manifests, missing: files?.missing.count }
    })
  }

  const day = (date: string) => [{ first: date, last: date, days: 1 }]
  const epochs = { expected: 5, present: 4, newest: '2025-02-01', missing: day('2025-01-29'), unreadable: [] }
  const manifests = { missing: day('2025-01-31') }
  await ingestInto(lake, [out])
  const before = { epochs: { ...epochs, incomplete: day('2025-01-30'), late: [] }, manifests, missing: 1 }
  expect(await coverages()).toEqual([before, before])
  await ingestInto(lake, [lateFolder(out)])
  const after = { epochs: { ...epochs, incomplete: [], late: day('2025-01-30') }, manifests, missing: 0 }
  expect(await coverages()).toEqual([after, after])
})
