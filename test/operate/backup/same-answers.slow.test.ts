import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { takeBackup } from '../../../src/operate/backup/backup.ts'
import { restoreBackup } from '../../../src/operate/backup/restore.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { readCorpus } from '../../support/conformance/corpus.ts'
import { smallNetwork, smallOracle } from '../../support/fixtures.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { askAgain, keptBodies, keptLakes } from '../../support/lakes/kept-lakes.ts'
import { copySmallLake } from '../../support/lakes/small-lake.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** GETs of the corpus, as they are written, which ask nothing of another reply. */
const requests = readCorpus().flatMap(({ cases }) =>
  cases.flatMap(({ request }) => /^GET \/net(\/[^{]*)$/.exec(request)?.[1] ?? []),
)

const range = 'from=2025-01-28&to=2025-03-31'

let home = ''
let lake = ''
/** Before the files of January were merged: it names files that the newest snapshot does not. */
let older = ''

beforeAll(async () => {
  home = await temporaryFolder()
  lake = join(home, 'lake')
  await copySmallLake(lake, 'a commit for each file')
  older = (await new Lake(lake).latest()).id
  const merged = await compact({ lake, months: ['2025-01'], openWriter: openTestWriter })
  expect(merged.length).toBeGreaterThan(2)
})

describe.each(keptLakes)('a kept lake of $format', ({ answers, copyTo }) => {
  it('answers all requests after backup and restore as before', async () => {
    const place = await temporaryFolder()
    copyTo(place)
    const [kept, restored] = [join(place, 'lake'), join(place, 'restored')]
    await takeBackup({ lake: kept, to: join(place, 'backups') })
    await restoreBackup({ from: join(place, 'backups'), lake: restored })
    expect(answers.length).toBeGreaterThan(70)
    const server = await buildTestServer(restored)
    expect(await askAgain(server, answers)).toEqual(keptBodies(answers))
    await server.close()
    expect((await ingestInto(restored, [smallOracle])).failed).toEqual([])
    expect(
      (await takeBackup({ lake: restored, to: join(place, 'backups') })).files.kept.files,
    ).toBeGreaterThan(5)
  })
})

/** Status, body and headers of every request, for the newest snapshot and for the older one. */
async function answersOf({ get }: TestServer): Promise<readonly unknown[]> {
  const asked = [...new Set(some(requests))].flatMap((path) => [
    path,
    `${path}${path.includes('?') ? '&' : '?'}as_of=${older}`,
  ])
  const answers: unknown[] = []
  for (const path of asked) {
    const { status, text, headers } = await get(path)
    answers.push([path, status, lasting(text), headers.etag, headers['ledgerlake-snapshot']])
  }
  return answers
}

/** Without the clock, which some errors quote. */
const lasting = (text: string) => text.replace(/to [\d:T.-]+Z, now/g, 'to now')

describe('a lake that was backed up', () => {
  it('answers the corpus byte for byte from the backup, and once it is restored to another path', async () => {
    const source = await buildTestServer(lake)
    const expected = await answersOf(source)
    expect(expected.length).toBeGreaterThan(300)
    const totals = await source.get(`/l2/iot-reward-shares/totals?${range}&as_of=${older}`)
    expect(totals.status).toBe(200)
    await source.close()

    const backup = await takeBackup({ lake, to: join(home, 'backups') })
    expect(backup.snapshot).toBe((await new Lake(lake).latest()).id)
    const fromBackup = await buildTestServer(backup.folder)
    expect(await answersOf(fromBackup)).toEqual(expected)
    await fromBackup.close()

    const restored = join(home, 'elsewhere', 'lake')
    expect(await restoreBackup({ from: join(home, 'backups'), lake: restored })).toMatchObject({
      snapshot: backup.snapshot,
      replaced: undefined,
    })
    const again = await buildTestServer(restored)
    expect(await answersOf(again)).toEqual(expected)
  })

  it('accepts new files after a restore and skips those that it has', async () => {
    const restored = join(home, 'goes-on')
    const { folder } = await takeBackup({ lake, to: join(home, 'more-backups') })
    await restoreBackup({ from: folder, lake: restored })
    expect(await ingestInto(restored, [smallNetwork])).toMatchObject({ stored: 0, skipped: 29, failed: [] })
    expect(await compact({ lake: restored, months: ['2025-02'], openWriter: openTestWriter })).not.toEqual([])
  })
})
