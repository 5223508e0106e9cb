import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { factsPath } from '../../../src/lake/disk/layout.ts'
import { namedFactsIn } from '../../../src/lake/facts/file-tags.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { isFault } from '../../../src/operate/verify/finding.ts'
import { repair as repairTarget } from '../../../src/operate/verify/repair.ts'
import { Verifier } from '../../../src/operate/verify/verify.ts'
import { openServices } from '../../../src/services/services.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { filesBelow } from '../../support/lakes/leftovers.ts'
import { iotReward, type MadeLake } from '../../support/lakes/make-lake.ts'
import { derive, makeSoundLake, targetOf } from '../../support/lakes/sound-lake.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { some } from '../../support/some.ts'
import { rewriteEntry } from '../../support/tables/log-entries.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** What cannot be repaired does not keep the rest from it. */

let made: MadeLake
let lake = ''

beforeAll(async () => {
  made = await makeSoundLake()
  await made.add({ 'iot/iot_reward_share.4.gz': [iotReward('2025-02-03', 2, { beacon_amount: 4n })] })
  await derive(made.folder)
})

beforeEach(async () => {
  lake = join(await temporaryFolder(), 'lake')
  cpSync(made.folder, lake, { recursive: true, preserveTimestamps: true })
})

const inputs = () => [0, 1, 2].map((number) => join(dirname(made.input), `input-${number}`))
const paths = (pattern: RegExp) => some(filesBelow(lake).filter((path) => pattern.test(path)))

function flip(path: string): void {
  const bytes = readFileSync(join(lake, path))
  bytes[20] = (bytes[20] ?? 0) ^ 1
  writeFileSync(join(lake, path), bytes)
}

async function repair(...args: readonly string[]) {
  const { code, stdout, stderr } = await runMain(['verify', '--lake', lake, '--json', '--repair', ...args])
  const { findings }: { findings: readonly { level: string; file: string }[] } = JSON.parse(stdout)
  return {
    ...{ code, stderr },
    faults: findings.filter(({ level }) => level === 'fault').map(({ file }) => file),
  }
}

/** The live file of a table, or of one of its months. */
async function liveFile(table: string, month?: string): Promise<string> {
  const at = await new Lake(lake).latest()
  const files = at.tables.find(({ resource }) => resource.name === table)?.files ?? []
  const [file] = some(files.filter(({ partition }) => month === undefined || partition === month))
  return file.path.slice(lake.length + 1)
}

describe('a repair', () => {
  it('succeeds although the damaged file cannot be removed afterwards, and reports that', async () => {
    const path = await liveFile('iot_reward_shares', '2025-01')
    rmSync(join(lake, path))
    mkdirSync(join(lake, path, 'other'), { recursive: true })
    const { code, stderr, faults } = await repair(...inputs())
    expect(stderr).toMatch(new RegExp(`^wrote .*${path} anew from iot_reward_share`, 'm'))
    expect(stderr).toContain(`${join(lake, path)}, which is damaged, could not be removed: `)
    expect(stderr).not.toContain('is as it was')
    expect([code, faults]).toEqual([0, []])
  })

  it('rewrites files of other tables although the log of one table is unreadable', async () => {
    const [iot, mobile] = [await liveFile('iot_reward_shares'), await liveFile('mobile_reward_shares')]
    for (const path of [iot, mobile]) flip(path)
    rmSync(join(lake, paths(/^iot_reward_shares\/_delta_log\/0+1\.json$/)[0]))
    for (const path of paths(/^iot_reward_shares\/_delta_log\/.*(_snapshot|checkpoint)/))
      rmSync(join(lake, path))
    const { code, stderr, faults } = await repair(...inputs())
    expect(code).toBe(4)
    expect(stderr).toContain(`wrote ${join(lake, mobile)} anew from mobile_reward_share.1.gz\n`)
    expect(faults).not.toContain(mobile)
    expect(faults).toContain(iot)
    expect(stderr).toMatch(/iot_reward_shares\/.* is as it was: .*0001\.json is missing although version/)
  })

  it('rewrites files of other months although the facts of one file are lost, and names that file', async () => {
    const january = await liveFile('iot_reward_shares', '2025-01')
    const february = await liveFile('iot_reward_shares', '2025-02')
    const add = (await new Lake(lake).latest()).table(iotRewardShares)
    expect(add.files).toHaveLength(2)
    const facts = factsOf(january)
    rmSync(join(lake, facts))
    for (const path of [january, february]) flip(path)
    const { code, stderr, faults } = await repair(...inputs())
    expect(stderr).toContain(`wrote ${join(lake, february)} anew from iot_reward_share.4.gz\n`)
    expect(stderr).toContain(`${join(lake, january)} is as it was: ${join(lake, facts)} is missing`)
    expect([code, [...faults].sort()]).toEqual([4, ['iot_reward_shares', facts, january].sort()])
  })

  it('rebuilds the indexes of sound tables even if a damaged table stays without indexes', async () => {
    const iot = await liveFile('iot_reward_shares')
    flip(iot)
    const [mobile] = paths(/by-key\/mobile.*keys$/)
    const ofIot = [...paths(/by-key\/iot.*keys$/), ...paths(/index\/iot_reward_shares\/.*blocks$/)]
    for (const path of [...ofIot, mobile]) flip(path)
    const services = await openServices(readSettings({}, { lake, engine_memory_mb: '256' }), {
      worthwhileRows: 1,
    })
    cleanUp(() => services.close())
    const target = await targetOf(lake, services.derived)
    const verifier = new Verifier(target)
    cleanUp(() => verifier.close())
    const { findings } = await verifier.verify()
    const steps: string[] = []
    const onStep = (sentence: string) => steps.push(sentence)
    await repairTarget({ target, findings, paths: [], from: undefined, openWriter: openTestWriter, onStep })
    expect(steps.join('\n')).toMatch(/index by hotspot could not be repaired: .*part-/)
    const left = (await verifier.verify()).findings.filter(isFault)
    expect(left.map(({ file }) => file)).toEqual([iot])
    expect(paths(/by-key\/mobile.*keys$/)).toEqual([mobile])
  })

  it('rebuilds indexes although its source folder is unreadable', async () => {
    const iot = await liveFile('iot_reward_shares')
    const [mobile] = paths(/by-key\/mobile.*keys$/)
    for (const path of [iot, mobile]) flip(path)
    const none = join(await temporaryFolder(), 'none')
    const { faults } = await repair(none)
    expect(faults).toEqual([iot])
  })

  it('keeps the replaced file if its bytes are sound, because older snapshots need it', async () => {
    const path = await liveFile('mobile_reward_shares')
    const [entry] = paths(/^mobile_reward_shares\/_delta_log\/0+\.json$/)
    const before = readFileSync(join(lake, path))
    rewriteEntry(join(lake, entry), (actions) =>
      actions.map((action) => {
        const stats = String(action.add?.stats).replace(
          /"nullCount":\{"source_file":0/,
          '"nullCount":{"source_file":1',
        )
        return action.add === undefined ? action : { add: { ...action.add, stats } }
      }),
    )
    const { code, stderr, faults } = await repair(...inputs())
    expect(stderr).toContain(`wrote ${join(lake, path)} anew from mobile_reward_share.1.gz\n`)
    expect([code, faults]).toEqual([0, []])
    expect(await liveFile('mobile_reward_shares')).not.toBe(path)
    expect(readFileSync(join(lake, path)).equals(before)).toBe(true)
  })

  it('keeps the checkpoints of a log with a damaged entry, because only they name the live files', async () => {
    const folder = 'iot_reward_shares/_delta_log'
    const ids = async () => (await new Lake(lake).latest()).id
    const before = await ids()
    flip(`${folder}/${'0'.padStart(20, '0')}.json`)
    const [other] = paths(/^iot_reward_shares\/_delta_log\/.*checkpoint\.parquet$/)
    flip(other)
    const names = readdirSync(join(lake, folder))
    const { stderr, code } = await repair()
    expect(code).toBe(4)
    expect(stderr).toContain(
      `the checkpoints of ${join(lake, 'iot_reward_shares')} stay as they are until its log entries are repaired\n`,
    )
    expect(readdirSync(join(lake, folder))).toEqual(names)
    expect(await ids()).toBe(before)
  })
})

/** Where the facts of a data file lie. */
function factsOf(path: string): string {
  const [table = ''] = path.split('/')
  const named = paths(new RegExp(`^${table}/_delta_log/\\d+\\.json$`))
    .flatMap((entry) => readFileSync(join(lake, entry), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line))
    .find(({ add }) => add !== undefined && join(table, add.path) === path)
  return factsPath(table, namedFactsIn(named?.add.tags)?.digest ?? '')
}
