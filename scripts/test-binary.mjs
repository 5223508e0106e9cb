import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildBinary } from './build-binary.mjs'
import { buildProgram, install, root } from './prepare.mjs'

/**
 * Builds the single executable and runs all tests that start the program with it, from a folder with a space in its
 * name: npm run test:binary. Run by root they have no network but the loopback. What is given is for Vitest.
 */

install()
buildProgram()
await buildBinary()
const folder = mkdtempSync(join(tmpdir(), 'ledgerlake-binary-'))
const program = join(folder, 'a folder', 'ledgerlake')
mkdirSync(join(folder, 'a folder'))
cpSync(`${root}release/ledgerlake`, program)
spawnSync('chmod', ['-R', 'a+rX', folder])
const vitest = [process.execPath, `${root}node_modules/vitest/vitest.mjs`, 'run', ...process.argv.slice(2)]
const offline = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const isRoot = process.getuid?.() === 0
const [command, ...args] = isRoot ? [...offline, ...vitest] : vitest
const env = {
  ...process.env,
  TEST_TIER: 'program',
  PROGRAM_UNDER_TEST: program,
  XDG_CACHE_HOME: join(folder, 'cache'),
}
const { status } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' })
rmSync(folder, { recursive: true })
process.exit(status ?? 1)
