import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildProgram, install, root, run } from './prepare.mjs'

/** Runs the tests of the tier in TEST_TIER. Arguments are for Vitest, such as the path of a test. */

const vitest = [process.execPath, `${root}node_modules/vitest/vitest.mjs`, 'run', ...process.argv.slice(2)]

install()
if (process.env.TEST_TIER !== 'unit') buildProgram()
if (process.env.TEST_TIER === 'program') process.exit(await testExecutable())
const [command, ...args] = vitest
run(command, args)

/** Builds the single executable and tests it in a folder with a space in its name; as root without a network but the loopback. */
async function testExecutable() {
  // Loaded here, because its packages may have been installed above.
  const { buildBinary } = await import('./build-binary.mjs')
  await buildBinary()
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlake-binary-'))
  const program = join(folder, 'a folder', 'ledgerlake')
  mkdirSync(join(folder, 'a folder'))
  cpSync(`${root}release/ledgerlake`, program)
  spawnSync('chmod', ['-R', 'a+rX', folder])
  const offline = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
  const [command, ...args] = process.getuid?.() === 0 ? [...offline, ...vitest] : vitest
  const env = { ...process.env, PROGRAM_UNDER_TEST: program, XDG_CACHE_HOME: join(folder, 'cache') }
  const { status } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' })
  rmSync(folder, { recursive: true })
  return status ?? 1
}
