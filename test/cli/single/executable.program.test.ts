import { execFileSync, fork, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { copySmallLake } from '../../support/lakes/small-lake.ts'
import { runProgram, type Surroundings } from '../../support/servers/run-program.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** The single executable: npm run test:binary. */

const program = resolve(process.env.PROGRAM_UNDER_TEST ?? 'release/ledgerlake')
const isRoot = process.getuid?.() === 0

/** A folder that everybody may write to, with a lake of the small network. */
let cwd: string
const count = ['sql', 'select count(*) as n from iot_reward_shares', '--format', 'csv', '--lake', 'lake']
const counted = { code: 0, stdout: 'n\n457\n', stderr: '' }

beforeAll(async () => {
  cwd = await temporaryFolder()
  chmodSync(cwd, 0o1777)
  await copySmallLake(join(cwd, 'lake'))
  chmodSync(join(cwd, 'lake'), 0o755)
})

const run = (args: readonly string[], cache: string, around: Partial<Surroundings> = {}) =>
  runProgram(args, { cwd, env: { LEDGERLAKE_CACHE_DIR: cache }, ...around })

/** The files of the engine below a cache. */
function unpackedIn(cache: string): readonly string[] {
  const [folder, ...others] = some(readdirSync(cache))
  expect(others).toEqual([])
  return readdirSync(join(cache, folder)).map((name) => join(cache, folder, name))
}

describe('the single executable', () => {
  it('prints its commit', async () => {
    const { stdout } = await run(['--version', '--json'], '')
    const head = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
    expect(JSON.parse(stdout).commit).toMatch(new RegExp(`^${head}(-changed)?$`))
  })

  it.each(['--version', '--help'])('unpacks no file for %s', async (flag) => {
    const cache = join(await temporaryFolder(), 'cache')
    expect(await run([flag], cache)).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(cache)).toBe(false)
  })

  it('unpacks its engine to a private folder, also when four start at once for the first time', async () => {
    const cache = join(await temporaryFolder(), 'a new', 'cache')
    const all = await Promise.all([1, 2, 3, 4].map(() => run(count, cache)))
    expect(all).toEqual([counted, counted, counted, counted])
    const files = unpackedIn(cache)
    expect(files.map((path) => path.split('/').at(-1))).toEqual([
      'duckdb.node',
      'duckdb.node.verified',
      'libduckdb.so',
      'libduckdb.so.verified',
    ])
    expect(files.map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600, 0o600, 0o600])
  })

  it.each<[string, (library: string) => void]>([
    ['half', (library) => truncateSync(library, 1_000_000)],
    [
      'changed in one bit',
      (library) => {
        const bytes = readFileSync(library)
        bytes.writeUInt8(bytes.readUInt8(50_000_000) ^ 1, 50_000_000)
        writeFileSync(library, bytes)
      },
    ],
  ])('unpacks its engine again if it is %s', async (_, harm) => {
    const cache = join(await temporaryFolder(), 'cache')
    await run(count, cache)
    const [library = ''] = unpackedIn(cache).filter((path) => path.endsWith('libduckdb.so'))
    const whole = readFileSync(library)
    harm(library)
    expect(await run(count, cache)).toEqual(counted)
    expect(readFileSync(library).equals(whole)).toBe(true)
  })

  it.runIf(isRoot)('runs without a home folder and with a read-only one', async () => {
    const home = await temporaryFolder()
    chmodSync(home, 0o555)
    for (const HOME of ['/nonexistent', home])
      expect(
        await runProgram(count, { cwd, env: { HOME, XDG_CACHE_HOME: '', TMPDIR: cwd }, asOther: true }),
      ).toEqual(counted)
  })

  it.runIf(isRoot)('ends with advice if its folder belongs to another user', async () => {
    const cache = join(cwd, 'theirs')
    mkdirSync(cache)
    chownSync(cache, 65533, 65533)
    expect(await runProgram([...count, '--cache-dir', cache], { cwd })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        `ledgerlake: The engine cannot be unpacked and loaded (${cache}: ${cache} belongs to another user (uid 65533)). ` +
        'Name a folder of this user with 80 MB of space, on a file system that is not mounted noexec: --cache-dir DIR or LEDGERLAKE_CACHE_DIR=DIR.\n',
    })
  })

  it.runIf(isRoot).each([
    ['is full', 'size=20m', 'no space is left'],
    ['is mounted noexec', 'noexec', 'failed to map segment from shared object'],
  ])('ends with advice if the file system of its folder %s', async (_, option, words) => {
    const cache = await temporaryFolder()
    const script = 'mount -t tmpfs -o "$1" tmpfs "$2" && shift 2 && exec "$@"'
    const inside = [
      '--mount',
      'sh',
      '-c',
      script,
      'sh',
      option,
      cache,
      program,
      ...count,
      '--cache-dir',
      cache,
    ]
    const { status, stderr } = spawnSync('unshare', inside, {
      cwd,
      encoding: 'utf8',
    })
    expect(status).toBe(2)
    expect(stderr).toMatch(/^ledgerlake: The engine cannot be unpacked and loaded \(.* --cache-dir DIR or /)
    expect(stderr).toContain(words)
  })

  it('starts itself by fork(), which names a script before the arguments', async () => {
    const child = fork(program, ['status', '--lake', 'lake'], {
      execPath: program,
      execArgv: [],
      cwd,
      silent: true,
    })
    let said = ''
    child.stdout?.on('data', (text) => (said += text))
    const code = await new Promise((done) => child.once('close', done))
    expect([code, said]).toEqual([0, expect.stringMatching(/^lake, snapshot /)])
  })
})
