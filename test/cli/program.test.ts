import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { version as duckdbVersion } from '@duckdb/node-api'
import type { Command } from 'commander'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { buildProgram } from '../../src/cli/program/program.ts'
import { headingOf } from '../../src/services/settings/setting-groups.ts'
import { settingRows } from '../../src/services/settings/settings.ts'
import { smallNetwork, smallOracle } from '../support/fixtures.ts'
import { filesBelow } from '../support/lakes/leftovers.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { dayEnd, frameFile, len, message, operational, period } from '../support/messages/oracle-messages.ts'
import { runMain } from '../support/servers/run-main.ts'
import { runProgram, startServing } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

const commands = [
  'ingest',
  'serve',
  'config',
  'status',
  'doctor',
  'backup',
  'restore',
  'rejects',
  'sql',
  'views',
  'sample',
]
const usualPriority = getPriority()
const everything = 'from=2000-01-01&to=2100-01-01'
const name = 'iot_reward_share.1738369800559.gz'

/** Folder that the programs are started in: it is not the project's. */
let cwd: string
/** A lake of the small network below it. */
const lake = 'small-lake'

beforeAll(async () => {
  cwd = await temporaryFolder()
  const { code, stderr } = await run('ingest', smallOracle, '--lake', lake)
  expect([code, stderr]).toEqual([0, ''])
})

const run = (...args: string[]) => runMain(args, { cwd })
const start = (...args: string[]) => runProgram(args, { cwd })
const oneLine = (text: string) => text.replace(/\s+/g, ' ')

describe('every command', () => {
  it('has help that names each of its flags and commands, and so has each command below it', async () => {
    const shown: string[] = []
    async function expectHelp(command: Command, words: readonly string[]): Promise<void> {
      const { code, stdout, stderr } = await runMain([...words, '--help'])
      const usage = ['Usage: ledgerlake', ...words].join(' ')
      expect([code, stderr, stdout.slice(0, usage.length)]).toEqual([0, '', usage])
      expect(stdout).not.toMatch(/undefined|NaN|\[object|\(default: (null|"")\)/)
      const flags = command.options.filter(({ hidden }) => !hidden).map(({ flags }) => flags)
      const lines = new Set([...stdout.matchAll(/^ {2}(\S+(?: \S+)*)/gm)].map(([, line = '']) => line))
      const below = command.createHelp().visibleCommands(command)
      const names = below.map((one) => new RegExp(`^  ${one.name()}\\b`, 'm'))
      expect([...flags, '-h, --help'].filter((flag) => !lines.has(flag))).toEqual([])
      for (const name of names) expect(stdout).toMatch(name)
      shown.push(words.join(' '))
      for (const one of command.commands) await expectHelp(one, [...words, one.name()])
    }
    await expectHelp(buildProgram(), [])
    expect(shown).toEqual(
      expect.arrayContaining([...commands, 'sync', 'sync lake', 'sync makers', 'keys add', 'answer-sql']),
    )
    expect(shown.length).toBeGreaterThan(30)
    expect((await runMain(['help', 'sync'])).code).toBe(0)
  })

  it.each([[], ...commands.map((command) => [command])])(
    '%s --version prints the version of the package',
    async (...words) => {
      const { code, stdout, stderr } = await runMain([...words, '--version'])
      expect([code, stdout.split('\n')[0], stderr]).toEqual([0, manifest.version, ''])
    },
  )

  it('--version prints the versions of Node, DuckDB and the data format, as JSON with --json', async () => {
    const duckdb = duckdbVersion().slice('v'.length)
    const { node } = process.versions
    expect((await runMain(['--version'])).stdout).toBe(
      `${manifest.version}\nNode ${node}\nDuckDB ${duckdb}\ndata format 3\ncommit unknown\n`,
    )
    const built = JSON.parse((await start('--version', '--json')).stdout)
    expect(built).toEqual({
      ...{ version: manifest.version, node, duckdb, dataFormat: 3 },
      commit: expect.stringMatching(/^([0-9a-f]{40}(-changed)?|unknown)$/),
    })
  })

  it('has headings for more than twenty settings, and none of them twice or for few', async () => {
    const headingsOf = async (command: string) => {
      const { stdout } = await run(command, '--help')
      return [...stdout.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading)
    }
    const settings = [
      ...['Lake', 'Address', 'Keys, SQL and sharing', 'Log and metrics', 'Requests', 'Memory and disk'],
      ...['Ingest and background work', 'Engine'],
    ]
    const shown = await headingsOf('serve')
    expect(shown.toSorted()).toEqual([...settings, 'Options', 'Global Options'].toSorted())
    expect(await headingsOf('config')).toHaveLength(shown.length)
    expect(await headingsOf('export')).toEqual(['Arguments', 'Options', 'Global Options'])
    for (const { name } of settingRows)
      expect([name, settings]).toEqual([name, expect.arrayContaining([headingOf(name)])])
  })

  it('names the environment variables of its flags', async () => {
    const { stdout } = await run('serve', '--help')
    const shown = oneLine(stdout)
    expect(shown).toContain(
      '--port <PORT> Port to listen on; 0 lets the system choose. (default: 8080) [LEDGERLAKE_PORT]',
    )
    expect(shown).toContain('[LEDGERLAKE_LAKE]')
    expect(shown).toContain('[LEDGERLAKE_ENGINE_MEMORY_MB]')
  })
})

describe('a wrong command line ends with 2 and a reason', () => {
  it.each([
    [[], 'Usage: ledgerlake'],
    [['ingset'], "unknown command 'ingset'"],
    [['ingset'], 'Did you mean ingest?'],
    [['ingest'], "missing required argument 'path'"],
    [['ingest', 'x', '--lak', 'y'], "unknown option '--lak'"],
    [['ingest', 'x', '--lak', 'y'], 'Did you mean --lake?'],
    [['ingest', 'x', '--only', 'rewards'], 'Use one or several of reward_manifest, iot_reward_share'],
    [['ingest', 'x', '--skip', 'rewards'], 'Use one or several of reward_manifest, iot_reward_share'],
    [['ingest', 'x', '--max-rejects', 'few'], 'Use a whole number.'],
    [['ingest', 'x', '--max-rejects', '-1'], 'Use a whole number.'],
    [
      ['ingest', 'x', '--blocks', '5..4'],
      "argument '5..4' is invalid. Use a range such as 1000000..1099999, ",
    ],
    [['ingest', 'x', '--blocks', '5..4'], 'whose first block is not after its last.'],
    [['ingest', 'x', '--ingest-memory-mb', '1'], '--ingest-memory-mb is "1"; use a whole number from 64 to'],
    [['ingest', '--only', 'reward_manifest'], 'name files or folders, or use --retry-rejects'],
    [['status', 'x'], 'too many arguments'],
    [
      ['ingest', '--retry-rejects', '--max-rejects', '0'],
      '--max-rejects has no effect with --retry-rejects alone; name files or folders, or leave it out',
    ],
    [['ingest', '--retry-rejects', '--blocks', '1..2'], '--blocks has no effect with --retry-rejects alone'],
    [['ingest', '--retry-rejects', '--replace'], '--replace has no effect with --retry-rejects alone'],
    [['backup', '--to', 'x', '--keys', 'y'], '--keys has no effect without --with-keys; add it'],
    [['restore', '--from', 'x', '--keys', 'y'], '--keys has no effect without --with-keys; add it'],
    [['rejects', 'x'], 'too many arguments'],
    [['serve', '--port', '65536'], '--port is "65536"; use a whole number from 0 to 65535'],
    [['serve', '--network', 'A/B'], '--network is "A/B"; use lower-case letters, digits and hyphens'],
    [['sample'], "required option '--out <DIR>' not specified"],
    [['sample', '--out', 'x', '--days', 'many'], 'Use a whole number.'],
    [['sample', '--out', 'x', '--start', '2025-02-30'], '2025-02-30'],
    [
      ['sample', '--out', 'x', '--blocks', '30'],
      '--blocks goes with --l1; without it, use --days and --hotspots',
    ],
    [
      ['sample', '--out', 'x', '--l1', '--days', '3'],
      '--days goes with oracle files; with --l1, use --blocks and',
    ],
    [
      ['sample', '--out', 'x', '--l1', '--late-file', '2025-01-15'],
      '--late-file goes with oracle files; with --l1, use --blocks and',
    ],
    [
      ['sample', '--out', 'x', '--missing-day', '2025-02-14'],
      'missing-day is "2025-02-14"; use a day from 2025-01-15 to 2025-02-13',
    ],
    [['sample', '--out', 'x', '--l1', '--part-rows', '0'], 'part-rows is 0; use a whole number from 100 to'],
    [
      ['sample', '--out', 'x', '--l1', '--transactions', '5'],
      'transactions is 5; use a whole number from 100 to',
    ],
  ])('%j: %s', async (args, sentence) => {
    const { code, stdout, stderr } = await runMain(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(getPriority()).toBe(usualPriority)
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('    at ')
  })
})

describe('settings', () => {
  async function withEnv(env: Record<string, string>, ...args: string[]) {
    onTestFinished(() => void vi.unstubAllEnvs())
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    return await run(...args)
  }

  it('are read from variables, which flags override', async () => {
    const fromVariable = await withEnv({ LEDGERLAKE_LAKE: lake }, 'status')
    expect(fromVariable).toMatchObject({ code: 0, stdout: expect.stringMatching(/^small-lake, snapshot /) })
    const fromFlag = await withEnv({ LEDGERLAKE_LAKE: 'nowhere' }, 'status', '--lake', lake)
    expect(fromFlag).toEqual(fromVariable)
  })

  it('that are wrong or unknown are all reported at once', async () => {
    const { code, stdout, stderr } = await withEnv(
      { LEDGERLAKE_PORT: 'http', LEDGERLAKE_OPEN: 'yes', LEDGERLAKE_LAKES: 'x', LEDGERLAKE_X: 'y' },
      'status',
      '--lake',
      lake,
    )
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('LEDGERLAKE_PORT is "http"; use a whole number from 0 to 65535')
    expect(stderr).toContain('LEDGERLAKE_OPEN is "yes"; use true or false')
    expect(stderr).toContain('Unknown setting LEDGERLAKE_LAKES; did you mean LEDGERLAKE_LAKE?')
    expect(stderr).toContain('Unknown setting LEDGERLAKE_X; ledgerlake config lists the settings\n')
  })

  it('that are empty are errors', async () => {
    const { code, stderr } = await withEnv({ LEDGERLAKE_LAKE: '' }, 'status')
    expect([code, stderr]).toEqual([
      2,
      'ledgerlake: LEDGERLAKE_LAKE is ""; use a folder, or s3://BUCKET/FOLDER\n',
    ])
  })

  it.each([
    ['backup', '--to'],
    ['restore', '--from'],
    ['sample', '--out'],
    ['views', '--out'],
    ['statement', '--out'],
    ['verify', '--from'],
    ['sync', '--keep-raw'],
  ])('%s %s takes no address for a folder of that name', async (command, flag) => {
    const { code, stderr } = await run(command, flag, 's3://bucket/x')
    expect([code, stderr]).toEqual([2, expect.stringContaining('It must be a path on this machine')])
  })

  it.each(['S3://b/x', 's3:/b', 'http://x/y', 'gs://b/x'])('--lake %s is refused', async (lake) => {
    const { code, stderr } = await run('status', '--lake', lake)
    expect([code, stderr]).toEqual([
      2,
      `ledgerlake: --lake is "${lake}"; use a folder, or s3://BUCKET/FOLDER\n`,
    ])
  })

  it('--state s3://b/x is refused', async () => {
    const { code, stderr } = await run('verify', '--state', 's3://b/x')
    expect([code, stderr]).toEqual([2, 'ledgerlake: --state is "s3://b/x"; use a path on this machine\n'])
  })
})

describe('sample', () => {
  /** Names below a folder with the digests of their content. */
  function contentOf(folder: string): Record<string, string> {
    const names = readdirSync(join(cwd, folder), { recursive: true, encoding: 'utf8' })
    const content = names
      .filter((path) => /\.(gz|ndjson)$/.test(path))
      .sort()
      .map((path) => [
        path,
        createHash('sha256')
          .update(readFileSync(join(cwd, folder, path)))
          .digest('hex'),
      ])
    return Object.fromEntries(content)
  }
  const sample = (out: string, seed: string) =>
    run('sample', '--out', out, '--days', '2', '--hotspots', '30', '--seed', seed)

  it('writes the same network for the same seed, which can be ingested whole', async () => {
    const first = await sample('sample-a', '7')
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(/^\d+ files, \d+ shares, 30 hotspots, \d+ bytes in sample-a\n$/)
    await sample('sample-b', '7')
    await sample('sample-c', '8')
    expect(contentOf('sample-b')).toEqual(contentOf('sample-a'))
    expect(contentOf('sample-c')).not.toEqual(contentOf('sample-a'))

    const files = Object.keys(contentOf('sample-a')).length
    expect(first.stdout).toContain(`${files} files, `)
    const ingested = await run('ingest', 'sample-a', '--lake', 'sample-lake', '--json')
    expect(ingested).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ingested.stdout)).toMatchObject({
      read: files,
      stored: files,
      failed: [],
      refusedRows: 0,
    })
  })

  it('leaves out the days of --missing-day, and prints the folder of late files', async () => {
    const days = [
      '--days',
      '4',
      '--hotspots',
      '30',
      '--missing-day',
      '2025-01-15',
      '--missing-day',
      '2025-01-17',
    ]
    const { code, stdout } = await run('sample', '--out', 'sample-d', ...days, '--late-file', '2025-01-18')
    expect(code).toBe(0)
    expect(stdout.split('\n')[1]).toBe(`2 late files in ${realpathSync(cwd)}/sample-d-late`)
    expect(Object.keys(contentOf('sample-d-late'))).toHaveLength(2)
    // Two days of seven files without the late ones, makers and hotspots.
    expect(Object.keys(contentOf('sample-d'))).toHaveLength(14 - 2 + 2)
  })

  it('writes a ledger with --l1, and prints the rows of each table', async () => {
    const ledger = await run(
      'sample',
      ...['--l1', '--out', 'ledger', '--hotspots', '40'],
      ...['--transactions', '100', '--part-rows', '150'],
    )
    expect(ledger).toMatchObject({ code: 0, stderr: '' })
    const lines = ledger.stdout.split('\n')
    expect(lines.slice(0, 2)).toEqual(['transactions: 100 rows', 'transaction_actors: 400 rows'])
    expect(lines[3]).toMatch(/^rewards: 400 rows, amount \d+$/)
    expect(lines[8]).toBe('hotspots: 40 rows')
    expect(lines[9]).toMatch(/^13 files, \d+ bytes in ledger$/)
    const names = Object.keys(contentOf('ledger')).filter((name) => name.includes('/rewards/'))
    expect(names.map((name) => name.slice(-15))).toEqual([
      'data_xaa.csv.gz',
      'data_xab.csv.gz',
      'data_xac.csv.gz',
    ])
  })
})

describe('ingest', () => {
  it('prints the number of files and rows read, stored and skipped', async () => {
    const into = join(await temporaryFolder(), 'lake')
    const first = await run('ingest', smallOracle, '--lake', into)
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(first.stdout).toContain('20 files read: 20 stored, 0 skipped (already in), 0 failed\n')
    // 457 + 568 shares, 8 manifests and 480 reports.
    expect(first.stdout).toMatch(/\n1513 rows stored, 0 refused, in \d+\.\d s \(\d+ rows\/s\)\n/)

    const again = await run('ingest', smallOracle, '--lake', into)
    expect([again.code, again.stderr]).toEqual([0, ''])
    expect(again.stdout).toContain('20 files read: 0 stored, 20 skipped (already in), 0 failed\n')
    expect(again.stdout).toMatch(/\n0 rows stored, 0 refused, /)
  })

  it('of folders without files prints their names, and succeeds', async () => {
    mkdirSync(join(cwd, 'empty'))
    mkdirSync(join(cwd, 'other'))
    const { code, stdout } = await run('ingest', 'empty', 'other', '--lake', 'no-lake')
    expect(code).toBe(0)
    expect(stdout).toMatch(/\nNothing to ingest: no file in empty, other\n$/)
  })

  it('lists files of unknown kind', async () => {
    const into = join(await temporaryFolder(), 'lake')
    const folder = await run('ingest', smallNetwork, '--only', 'reward_manifest', '--lake', into)
    expect(folder.stdout).toContain('of a kind not yet known, skipped:\n')
    expect(folder.stdout).toContain(`\n  ${join(smallNetwork, 'expected.json')}\n`)
    expect(folder.code).toBe(0)
  })

  it('fails for a named file of unknown kind, and ingests the others', async () => {
    const into = join(await temporaryFolder(), 'lake')
    const named = join(smallNetwork, 'expected.json')
    const { code, stdout } = await run('ingest', named, join(smallNetwork, 'l2'), '--lake', into)
    expect(code).toBe(3)
    expect(stdout).toContain('3 files read: 2 stored, 0 skipped (already in), 1 failed\n')
    expect(stdout).toContain(
      `\nfailed: ${named}: its kind is not known by its name or its content; expected one of `,
    )
  })

  it('prints its summary as JSON on demand', async () => {
    const into = join(await temporaryFolder(), 'lake')
    const { code, stdout } = await run(
      ...['ingest', smallOracle, '--only', 'reward_manifest', '--lake', into, '--json'],
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      read: 8,
      stored: 8,
      skipped: 0,
      unknown: [],
      unsupported: [],
      withoutBlocks: [],
      failed: [],
      rows: 8,
      refusedRows: 0,
      seconds: expect.any(Number),
    })
  })

  it('replaces a whole table with --replace-all, and refuses to without files', async () => {
    const into = join(await temporaryFolder(), 'lake')
    const l2 = join(smallNetwork, 'l2')
    expect((await run('ingest', l2, '--lake', into)).stdout).toContain('126 rows stored, 0 refused')
    const makers = join(l2, 'makers.ndjson')
    const { code, stdout } = await run('ingest', makers, '--lake', into, '--replace-all')
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 file read: 1 stored, 0 skipped')])
    const oracle = await run('ingest', smallOracle, '--lake', into, '--replace-all')
    expect([oracle.code, oracle.stderr]).toEqual([
      2,
      `ledgerlake: --replace-all is given and there is no file of makers, hotspots, l1_accounts, l1_gateways in ${smallOracle}; give at least one\n`,
    ])
    const none = await run('ingest', '--retry-rejects', '--replace-all', '--lake', into)
    expect([none.code, none.stderr]).toEqual([
      2,
      "ledgerlake: --replace-all needs a 'path' with files of makers, hotspots, l1_accounts, l1_gateways\n",
    ])
  })

  it('stores only some kinds, or all except some', async () => {
    const oracle = smallOracle
    const into = join(await temporaryFolder(), 'lake')
    const summary = async (...flags: string[]) => {
      const { code, stdout } = await run('ingest', oracle, '--lake', into, '--json', ...flags)
      expect(code).toBe(0)
      const { read, stored, skipped, rows } = JSON.parse(stdout) as Record<string, number>
      return { read, stored, skipped, rows }
    }
    expect(await summary('--only', 'iot_reward_share')).toEqual({ read: 4, stored: 4, skipped: 0, rows: 457 })
    expect(await summary('--only', 'iot_reward_share,mobile_reward_share')).toEqual({
      read: 8,
      stored: 4,
      skipped: 4,
      rows: 568,
    })
    expect(await summary('--skip', 'iot_witness_ingest_report', '--skip', 'reward_manifest')).toMatchObject({
      read: 8,
      stored: 0,
      skipped: 8,
    })
    expect(await summary('--skip', 'iot_witness_ingest_report')).toMatchObject({ stored: 8, skipped: 8 })
  })

  it('counts refused rows, and --max-rejects decides how many are too many', async () => {
    const folder = await temporaryFolder()
    const unknown = message(period(), len(12))
    writeFileSync(join(folder, name), frameFile([operational(1), unknown, unknown]))
    const ingest = (...flags: string[]) =>
      runMain(['ingest', name, '--lake', 'lake', ...flags], { cwd: folder })
    const strict = await ingest('--max-rejects', '1')
    expect(strict.code).toBe(3)
    expect(strict.stdout).toContain(
      '2 of 3 messages were refused, more than the limit of 1; the first is message 1: ',
    )
    const lenient = await ingest('--max-rejects', '2')
    expect(lenient.code).toBe(0)
    expect(lenient.stdout).toContain('1 row stored, 2 refused')
  })
})

/** The first and the last block of transactions in the small network. */
function transactionBlocks(): readonly [bigint, bigint] {
  const path = `${smallNetwork}/l1-archive/blockchain-etl-export/transactions/data_xaa.csv.gz`
  const lines = gunzipSync(readFileSync(path))
    .toString()
    .matchAll(/^(\d+),/gm)
  const blocks = [...lines].map(([, block = '']) => BigInt(block)).sort((a, b) => (a < b ? -1 : 1))
  return [blocks[0] ?? 0n, blocks.at(-1) ?? 0n]
}

/** Lines between empty ones. */
function sectionsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const sections: string[][] = [[]]
  for (const line of lines) line === '' ? sections.push([]) : sections.at(-1)?.push(line)
  return sections
}

describe('status', () => {
  it('prints the rows and periods of every table', async () => {
    const { code, stdout, stderr } = await run('status', '--lake', lake)
    expect([code, stderr]).toEqual([0, ''])
    const [title, heads, ...lines] = stdout.trimEnd().split('\n')
    const [tables, ranges, disk] = sectionsOf(lines)
    expect(title).toMatch(/^small-lake, snapshot dma0idp0ooc0qea0-[0-9a-f]{12}$/)
    expect(heads?.trim().split(/\s{2,}/)).toEqual([
      ...['table', 'rows', 'files', 'size', 'sources', 'refused', 'version'],
    ])
    const cells = tables?.map((line) => line.split(/\s{2,}/).filter((_, column) => column !== 3))
    expect(cells).toEqual([
      ['iot_reward_shares', '457', '2', '4', '0', '0'],
      ['mobile_reward_shares', '568', '2', '4', '0', '0'],
      ['reward_manifests', '8', '2', '8', '0', '0'],
      ['iot_witness_ingest_reports', '480', '1', '4', '0', '0'],
    ])
    expect(ranges?.map((line) => line.trim().split(/\s{2,}/))).toEqual([
      ['table', 'first', 'last'],
      ['iot_reward_shares', '2025-01-29T00:00:00Z', '2025-02-01T00:00:00Z'],
      ['mobile_reward_shares', '2025-01-29T00:00:00Z', '2025-02-01T00:00:00Z'],
    ])
    expect(disk).toEqual([
      expect.stringMatching(/^disk: tables \S+ kB, log \S+ kB, state \S+ \w+, \S+ [GTP]B free$/),
    ])
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('fits 80 columns with every table, and prints the blocks of the ledger and the size of old files', async () => {
    const folder = await smallLake()
    writeFileSync(join(folder, 'makers', 'part-old.parquet'), Buffer.alloc(2000))
    const { stdout } = await run('status', '--lake', folder)
    const lines = stdout.trimEnd().split('\n')
    const [, tables, , disk] = sectionsOf(['', ...lines])
    expect(lines.slice(1).filter((line) => line.length > 80)).toEqual([])
    expect(tables?.length).toBeGreaterThan(12)
    const blocks = transactionBlocks()
    expect(stdout).toMatch(new RegExp(`\nl1_transactions +block ${blocks[0]} +block ${blocks[1]}\n`))
    expect(disk?.[1]).toMatch(/^ +2\.0 kB of older snapshots alone; ledgerlake vacuum removes them$/)
    const { disk: bytes } = JSON.parse((await run('status', '--json', '--lake', folder)).stdout)
    const all = filesBelow(folder).filter((path) => /^[a-z]/.test(path))
    const size = all.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0)
    expect(bytes.tables + bytes.oldFiles + bytes.log).toBe(size)
    expect(bytes.oldFiles).toBe(2000)
  })

  it('prints the same as JSON on demand', async () => {
    const { code, stdout } = await run('status', '--json', '--lake', lake)
    expect(code).toBe(0)
    const { snapshot, tables } = JSON.parse(stdout) as { snapshot: string; tables: object[] }
    expect(snapshot).toMatch(/^dma0idp0ooc0qea0-[0-9a-f]{12}$/)
    expect(tables[0]).toEqual({
      table: 'iot_reward_shares',
      version: 0,
      rows: 457,
      files: 2,
      bytes: expect.any(Number),
      sources: 4,
      refused: 0,
      firstPeriod: '2025-01-29T00:00:00Z',
      lastPeriod: '2025-02-01T00:00:00Z',
      missingDays: [],
      firstBlock: null,
      lastBlock: null,
      coverage: {
        ...{ from: '2025-01-29T00:00:00Z', to: '2025-02-01T00:00:00Z' },
        epochs: {
          ...{ expected: 4, present: 4, newest: '2025-01-31' },
          ...{ missing: [], incomplete: [], late: [], unreadable: [] },
        },
        manifests: { missing: [] },
        files: {
          missing: { count: 0, names: [] },
          without_manifest: { count: 0, names: [] },
          unreadable: { count: 0, names: [] },
        },
        ...{ tokens: ['iot_reward_token_iot', 'iot_reward_token_main'], mixes_tokens: true },
      },
    })
  })

  it('shows a calendar, and names the days that are missing', async () => {
    const folder = await temporaryFolder()
    const days = [dayEnd, dayEnd + 3 * 86_400].map((end) => operational(1, end))
    writeFileSync(join(folder, name), frameFile(days))
    await runMain(['ingest', name, '--lake', 'lake'], { cwd: folder })
    const { stdout } = await runMain(['status', '--lake', 'lake'], { cwd: folder })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.slice(lines.indexOf('iot_reward_shares: data for 2 of 4 days'))).toEqual([
      'iot_reward_shares: data for 2 of 4 days',
      '           1        10        20        30',
      '  2025-01                                m',
      '  2025-02  ..m',
      '  no data for 2025-02-01 to 2025-02-02 (periods ending 2025-02-02 to 2025-02-03)',
      '  no manifest names files of 2025-01-31',
      '  no manifest names files of 2025-02-03',
      '  1 file in without a manifest:',
      `    ${name}`,
    ])
  })

  it('of an empty folder prints that it is empty', async () => {
    const folder = await temporaryFolder()
    const { code, stdout, stderr } = await run('status', '--lake', folder)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      `${folder}, snapshot (empty)\n` +
        `Nothing has been ingested yet; fill it with: ledgerlake ingest PATH... --lake ${folder}\n`,
    )
    expect(JSON.parse((await run('status', '--lake', folder, '--json')).stdout)).toEqual({
      snapshot: '',
      disk: { tables: 0, oldFiles: 0, log: 0, state: 0, staging: 0, free: expect.any(Number) },
      kept: [],
      sources: [],
      tables: [],
    })
  })
})

/** A GET that says at once when the server has begun with it. */
function askEarly(address: string, path: string): { begun: Promise<void>; status: Promise<number> } {
  const asking = request(`${address}${path}`, { headers: { expect: '100-continue' }, agent: false })
  const status = new Promise<number>((resolve, reject) => {
    asking.once('error', reject)
    asking.once('response', (response) => {
      response.resume()
      response.once('error', reject)
      response.once('end', () => resolve(response.complete ? (response.statusCode ?? 0) : 0))
    })
  })
  const begun = once(asking, 'continue').then(() => {})
  asking.end()
  return { begun, status }
}

describe('serve', () => {
  const serve = (...flags: string[]) => startServing(['--lake', lake, '--port', '0', ...flags], { cwd })

  it('prints the address that it listens on', async () => {
    const { address, stdout } = await serve()
    expect(stdout()).toMatch(/^ledgerlake serves small-lake at http:\/\/127\.0\.0\.1:\d+\/\n/)
    const reply = await fetch(`${address}/v1/net/l2/iot-reward-shares/totals?${everything}`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('ledgerlake-snapshot')).toMatch(/^dma0idp0ooc0qea0-/)
    expect(await reply.text()).toMatch(/^\{"total_beacon_amount":\d+,.*,"total_amount":36403378988914885\}$/)
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    const page = await (await fetch(`${address}/`, { headers: { accept: 'text/html' } })).text()
    const [, script] = /<script type="module" src="([^"]+)">/.exec(page) ?? []
    expect((await fetch(address + script)).status).toBe(200)
  })

  it('on a port in use ends with 5 and a reason', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { code, stdout, stderr } = await run('serve', '--lake', lake, '--port', String(port))
    taken.close()
    expect({ code, stdout, stderr }).toEqual({
      code: 5,
      stdout: '',
      stderr: `ledgerlake: Port ${port} of 127.0.0.1 is taken; choose another with --port.\n`,
    })
  })

  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.org'])(
    'on the public address %s ends with 2 without --open',
    async (host) => {
      const { code, stdout, stderr } = await run('serve', '--lake', lake, '--port', '0', '--host', host)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain(`Refusing to listen on ${host} without API keys, since others can reach it. `)
      expect(stderr).toContain('--open')
    },
  )

  it('on an address that is not of this machine ends with 2', async () => {
    const { code, stderr } = await run(
      'serve',
      '--lake',
      lake,
      '--port',
      '0',
      '--host',
      '192.0.2.1',
      '--open',
    )
    expect(code).toBe(2)
    expect(stderr).toMatch(/^ledgerlake: Cannot listen on 192\.0\.2\.1:0: /)
  })

  it('on every address with --open prints the addresses for other devices, and serves paths of the given network', async () => {
    const { address, stdout } = await serve('--host', '0.0.0.0', '--open', '--network', 'helium')
    const { port } = new URL(address)
    const own = `http://127.0.0.1:${port}`
    await expect
      .poll(stdout)
      .toMatch(
        new RegExp(` at ${own}/\nOn other devices of this network, open:\n(  http://\\S+:${port}/\n)+`),
      )
    expect((await fetch(`${own}/healthz`)).status).toBe(200)
    expect((await fetch(`${own}/v1/helium/l2/iot-reward-shares?${everything}`)).status).toBe(200)
    expect((await fetch(`${own}/v1/net/l2/iot-reward-shares?${everything}`)).status).toBe(404)
  })

  it('returns 503 before the first ingest, and then the rows of each ingest', async () => {
    const folder = await temporaryFolder()
    const into = join(folder, 'lake')
    mkdirSync(into)
    const { address } = await startServing(['--lake', into, '--port', '0'], { cwd })
    const list = `${address}/v1/net/l2/iot-reward-shares?${everything}`
    const early = await fetch(list)
    expect(early.status).toBe(503)
    expect(await early.json()).toMatchObject({ code: 'not_ready' })

    for (const [file, amount] of [
      ['iot_reward_share.1.gz', 123_001],
      ['iot_reward_share.2.gz', 123_002],
    ] as const) {
      writeFileSync(join(folder, file), frameFile([operational(amount)]))
      expect(await run('ingest', join(folder, file), '--lake', into)).toMatchObject({ code: 0 })
      const answered = async () => (await fetch(list)).text()
      await expect.poll(answered).toContain(`"amount":${amount},`)
    }
  })

  it.each(scaled<readonly ('SIGTERM' | 'SIGINT')[]>(['SIGTERM'], ['SIGTERM', 'SIGINT']))(
    'ends with 0 on %s while a client keeps its connection open',
    async (signal) => {
      const { address, child, finished } = await serve()
      await (await fetch(`${address}/healthz`)).text()
      child.kill(signal)
      const { code, stderr } = await finished
      const said = stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect([code, ...said.map(({ level, msg }) => `${level}: ${msg}`)]).toEqual([
        0,
        `info: listening at ${address}`,
        'info: stopping: requests under way are answered first',
      ])
      await expect(fetch(`${address}/healthz`)).rejects.toThrow()
    },
  )

  it('answers the requests in flight after SIGTERM, then ends with 0', async () => {
    const { address, child, finished } = await serve('--engine-connections', '1', '--engine-threads', '1')
    // Totals of one hotspot are read from the files, one after the other, as there is one connection.
    const asked = Array.from({ length: 60 }, (_, index) =>
      askEarly(address, `/v1/net/l2/iot-reward-shares/totals?${everything}&hotspot_key=nobody-${index}`),
    )
    let answered = 0
    for (const { status } of asked) status.then(() => (answered += 1)).catch(() => {})
    await Promise.all(asked.map(({ begun }) => begun))
    const answeredBefore = answered
    child.kill('SIGTERM')
    expect(await Promise.all(asked.map(({ status }) => status))).toEqual(Array(60).fill(200))
    const { code, stderr } = await finished
    expect([code, stderr.match(/"level":"error".*/g)]).toEqual([0, null])
    // Otherwise nothing was under way and the test has shown nothing.
    expect(answeredBefore).toBeLessThan(60)
  })
})
