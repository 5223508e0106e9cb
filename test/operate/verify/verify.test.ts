import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeActionLines } from '../../../src/lake/log/log-entry.ts'
import { sealed } from '../../../src/lake/log/sealed-gzip.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { Finding } from '../../../src/operate/verify/finding.ts'
import { contentOf } from '../../support/lakes/lake-content.ts'
import { filesBelow } from '../../support/lakes/leftovers.ts'
import { soundLake, verifierOf } from '../../support/lakes/sound-lake.ts'
import { makePipe } from '../../support/make-pipe.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let sound = ''
let lake = ''

beforeAll(async () => {
  sound = await soundLake()
})

beforeEach(async () => {
  lake = join(await temporaryFolder(), 'lake')
  cpSync(sound, lake, { recursive: true, preserveTimestamps: true })
})

const verify = async (withEngine?: 'with an engine') => await (await verifierOf(lake, withEngine)).verify()
const brief = (findings: readonly Finding[]) =>
  findings.map(({ level, kind, file, what }) => `${level}, ${kind}: ${file}: ${what}`)

/** Paths of files whose path fits. */
const paths = (pattern: RegExp) => some(filesBelow(lake).filter((path) => pattern.test(path)))

function flip(path: string, place: number): void {
  const bytes = readFileSync(join(lake, path))
  const at = place < 0 ? bytes.length + place : place
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(join(lake, path), bytes)
}

/** Gives the first two planes of an index the amounts of each other, and contents that have their checksum. */
function exchangePlanes(path: string): void {
  const bytes = readFileSync(path)
  const end = bytes.length - 40
  const start = end - Number(bytes.readBigUInt64LE(end))
  const contents = JSON.parse(bytes.toString('utf8', start, end))
  const [{ period, ...first }, { period: later, ...second }] = contents.planes
  contents.planes.splice(0, 2, { period, ...second }, { period: later, ...first })
  const text = Buffer.from(JSON.stringify(contents))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  const sum = createHash('sha256').update(text).update(length).digest()
  writeFileSync(path, Buffer.concat([bytes.subarray(0, start), text, length, sum]))
}

/** The live data file of a table that has one. */
async function liveFile(table: string): Promise<string> {
  const at = await new Lake(lake).latest()
  const file = at.tables.find(({ resource }) => resource.name === table)?.files[0]
  return file?.path.slice(lake.length + 1) ?? ''
}

describe('a sound lake', () => {
  it('has no fault, is not changed, and every file of it is counted', async () => {
    const before = contentOf(lake)
    const report = await verify('with an engine')
    expect(brief(report.findings)).toEqual([
      'note, manifest: iot_reward_shares: No manifest names 3 of its files: iot_reward_share.1.gz, iot_reward_share.2.gz, iot_reward_share.3.gz.',
    ])
    expect(report).toMatchObject({ lake, isSound: true, files: Object.keys(before).length })
    expect(contentOf(lake)).toEqual(before)
  })

  it('makes the command verify end with 0 and print the number of files and notes', async () => {
    const { code, stdout, stderr } = await runMain(['verify', '--lake', lake])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('note, manifest: iot_reward_shares\n  No manifest names 3 of its files:')
    expect(stdout).toMatch(/\n\d+ files of \d+ bytes read in \d+\.\d s \(.+\/s\)\n.* is sound; 1 to note\n$/)
    for (const line of stdout.split('\n').filter((own) => !own.includes(lake)))
      expect(line.length).toBeLessThanOrEqual(80)
  })
})

describe('a lake without a state folder', () => {
  it('is verified, and verify creates none', async () => {
    rmSync(join(lake, '_state'), { recursive: true })
    const { code } = await runMain(['verify', '--lake', lake])
    expect([code, existsSync(join(lake, '_state'))]).toEqual([0, false])
  })
})

describe('a pipe', () => {
  it('at the path of a data file or a checkpoint pointer is a fault, and verify does not block on it', async () => {
    const [pointer = ''] = paths(/_last_checkpoint$/)
    const pipes = [pointer, await liveFile('l1_rewards')]
    for (const path of pipes) {
      rmSync(join(lake, path))
      makePipe(join(lake, path))
    }
    const faults = (await verify()).findings.filter(({ level }) => level === 'fault')
    expect(faults.map(({ file }) => file).sort()).toEqual([...pipes].sort())
  })
})

describe('a flipped bit', () => {
  it('is found in each kind of file by one run, which ends with 4', async () => {
    const live = await liveFile('iot_reward_shares')
    const other = paths(/^iot_reward_shares\/month.*\.parquet$/).find((path) => path !== live) ?? ''
    const flipped = [
      [live, 'data file', /^It does not have the SHA-256 that the log says\.$/],
      [other, 'data file', 'It does not have the SHA-256 that the log says. Only older snapshots need it.'],
      [
        paths(/^reward_manifests\/_delta_log\/0+\.json$/)[0],
        'log entry',
        /does not have the digest that it names/,
      ],
      [
        paths(/iot_reward_shares\/.*_snapshot/)[0],
        'checkpoint',
        'It is not as it was written; readers pass it over.',
      ],
      [
        paths(/iot_reward_shares\/.*checkpoint\.parquet$/)[0],
        'checkpoint',
        /^The checkpoint that has its digest is/,
      ],
      [
        paths(/iot_reward_shares\/.*_last_checkpoint$/)[0],
        'checkpoint',
        /^It does not name the newest checkpoint/,
      ],
      [paths(/by-key\/iot.*keys$/)[0], 'derived', 'It is damaged.'],
      [paths(/index\/.*\/list-.*blocks$/)[0], 'derived', 'It is damaged.'],
      ['_state/offloaded-bytes.json', 'derived', 'It is not as it was written.'],
      ['_keys/keys.ndjson', 'keys', /^Line \d of /],
      ['_keys/keys.usage', 'keys', /^Line 1 of it is not as written/],
      [paths(/^_keys\/keys\.usage\.log\//)[0], 'keys', /^Line \d of it is not as written/],
    ] as const
    for (const [path = ''] of flipped) flip(path, path === '_keys/keys.usage' ? 30 : -12)
    const { findings, isSound } = await verify('with an engine')
    expect(isSound).toBe(false)
    const faults = findings.filter(({ level }) => level === 'fault')
    for (const [file, kind, what] of flipped)
      expect(faults.filter((own) => own.file === file)).toEqual([
        expect.objectContaining({ kind, what: expect.stringMatching(what) }),
      ])
    expect(faults).toHaveLength(flipped.length)
    const { code, stdout } = await runMain(['verify', '--lake', lake, '--json'])
    expect(code).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({ isSound: false, lake, findings: expect.any(Array) })
  })

  it('is found in an index of a column and in a Parquet checkpoint, and named by that file', async () => {
    const flipped = [
      paths(/index\/l1_rewards\/account.*blocks$/)[0] ?? '',
      paths(/iot.*checkpoint\.parquet$/)[0] ?? '',
    ]
    for (const path of flipped) flip(path, -12)
    const faults = (await verify()).findings.filter(({ level }) => level === 'fault')
    expect(faults.map(({ file }) => file).sort()).toEqual([...flipped].sort())
  })
})

describe('a data file', () => {
  it('with damage is reported with its sources and the commands that repair it', async () => {
    const path = await liveFile('iot_reward_shares')
    appendFileSync(join(lake, path), 'x')
    const [found] = (await verify()).findings
    expect(found).toMatchObject({
      what: expect.stringMatching(/^It has \d+ bytes where the log says \d+\.$/),
      sources: ['iot_reward_share.1.gz', 'iot_reward_share.2.gz', 'iot_reward_share.3.gz'],
    })
    expect(found?.repair).toMatch(`ledgerlake verify --lake ${lake} --repair --from DIR`)
    expect(found?.repair).toMatch(
      `ledgerlake verify --lake ${lake} --repair PATH..., with iot_reward_share.1.gz`,
    )
  })

  it('is a fault if it is missing and a note if no version names it, and a table without a log is a fault', async () => {
    const [live, moved] = [await liveFile('iot_reward_shares'), await liveFile('l1_rewards')]
    rmSync(join(lake, live))
    cpSync(join(lake, moved), join(lake, moved.replace(/part-.*/, 'part-0.parquet')))
    rmSync(join(lake, 'mobile_reward_shares', '_delta_log'), { recursive: true })
    expect(brief((await verify()).findings)).toEqual(
      expect.arrayContaining([
        `fault, data file: ${live}: It is missing.`,
        'fault, table: mobile_reward_shares: It has files and no log.',
        `note, leftover: ${moved.replace(/part-.*/, 'part-0.parquet')}: No version of the table names it.`,
      ]),
    )
  })
})

it('missing facts are a fault, and so is a missing data file of the same table', async () => {
  const live = await liveFile('iot_reward_shares')
  rmSync(join(lake, live))
  rmSync(join(lake, 'iot_reward_shares', '_facts'), { recursive: true })
  const told = brief((await verify()).findings)
  expect(told).toContainEqual(
    expect.stringMatching(/^fault, data file: iot_reward_shares\/_facts\/.*: It is missing\.$/),
  )
  expect(told).toContain(`fault, data file: ${live}: It is missing.`)
})

describe('a log', () => {
  it('without its newest entry is a fault if a checkpoint names that version', async () => {
    const [checkpoint = ''] = paths(/^iot_reward_shares\/_delta_log\/_snapshot/)
    const version = /\d{20}/.exec(checkpoint)?.[0]
    const entries = paths(/^iot_reward_shares\/_delta_log\/\d+\.json$/)
    for (const name of entries.filter((own) => own >= `iot_reward_shares/_delta_log/${version}`))
      rmSync(join(lake, name))
    expect(brief((await verify()).findings)).toContain(
      `fault, log entry: iot_reward_shares/_delta_log/${version}.json: It is missing although a checkpoint of its version is there.`,
    )
  })

  it('with a gap is a fault that names the missing entry', async () => {
    const entries = paths(/^iot_reward_shares\/_delta_log\/\d+\.json$/)
    rmSync(join(lake, entries[1] ?? ''))
    expect(brief((await verify()).findings)).toContain(
      `fault, log entry: ${entries[1]}: It is missing although later ones are there.`,
    )
  })

  it('whose checkpoint disagrees with its entries is a fault although all checksums hold', async () => {
    const [file = ''] = paths(/^iot_reward_shares\/_delta_log\/_snapshot/)
    const lines = gunzipSync(readFileSync(join(lake, file)))
      .toString()
      .trim()
      .split('\n')
    const [{ snapshot }, ...actions] = lines.map((line) => JSON.parse(line))
    const other = actions.map((action) =>
      action.add === undefined ? action : { add: { ...action.add, size: 1 } },
    )
    const text = writeActionLines((digest) => ({ snapshot: { ...snapshot, digest } }), other)
    expect(other).not.toEqual(actions)
    rmSync(join(lake, file))
    writeFileSync(join(lake, file), sealed(gzipSync(text)))
    expect(brief((await verify()).findings)).toContain(
      `fault, checkpoint: ${file}: It does not say what the entries up to its version say.`,
    )
  })
})

describe('an index', () => {
  it('with swapped sums is a fault although all its checksums hold', async () => {
    const [one = ''] = paths(/by-key\/iot_reward_shares\/.*keys$/)
    exchangePlanes(join(lake, one))
    expect(brief((await verify()).findings)[0]).toMatch(
      `fault, derived: ${one}: It does not say what the lake says: of `,
    )
  })

  it('is no fault if it is missing or of an older snapshot, and is a fault if it contradicts its file name', async () => {
    rmSync(join(lake, '_state', 'offloaded-bytes.json'))
    const folder = join(lake, '_state', 'index', 'l1_rewards')
    const [name = ''] = readdirSync(folder)
    renameSync(
      join(folder, name),
      join(
        folder,
        name.replace(/.\.blocks$/, (end) => (end.startsWith('0') ? '1.blocks' : '0.blocks')),
      ),
    )
    rmSync(join(lake, '_state', 'by-key'), { recursive: true })
    const faults = (await verify()).findings.filter(({ level }) => level === 'fault')
    // An index says what it was made of.
    expect(faults.map(({ kind, file }) => `${kind} ${file.split('/').at(-2)}`)).toEqual([
      'derived l1_rewards',
    ])
  })
})

describe('paths and --from', () => {
  it.each([
    [['x.gz'], 'x.gz'],
    [['--from', 'y'], '--from y'],
  ])('without --repair are refused: %s', async (args, named) => {
    const { code, stderr } = await runMain(['verify', '--lake', lake, ...args])
    expect([code, stderr]).toEqual([
      2,
      `ledgerlake: ${named} has no effect without --repair; add it, or leave it out\n`,
    ])
  })
})
