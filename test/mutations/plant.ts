import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Fault } from './fault.ts'

export type Outcome = 'seen nearby' | 'seen by the whole suite' | 'survived'

/** A fault and what became of it. */
export interface Planted {
  readonly fault: Fault
  readonly outcome: Outcome
  /** The first test that failed, or that the tests hung. */
  readonly by: string
  readonly seconds: number
}

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Longer than a file of tests takes on a busy machine: a fault that makes an endless loop is seen too. */
const NEAREST_MS = 5 * 60_000
const WHOLE_MS = 30 * 60_000

/** Whether the text of a fault stands in its file exactly once. */
export function isPlantable({ file, find }: Fault): boolean {
  return readFileSync(join(root, file), 'utf8').split(find).length === 2
}

/** A copy of the tree as it is, with what is not committed yet; gives its folder. */
export function makeScratchTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlake-mutations-'))
  const listed = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (listed.status !== 0) throw new Error(`git ls-files: ${listed.stderr}`)
  for (const path of listed.stdout.split('\0').filter((name) => name !== '')) {
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Plants a fault, runs the tests nearest to it and, unless they fail, all of them; then takes it out again. */
export async function plant(tree: string, fault: Fault, isNearestAlone: boolean): Promise<Planted> {
  const path = join(tree, fault.file)
  const whole = readFileSync(path, 'utf8')
  const began = performance.now()
  const result = (outcome: Outcome, by: string): Planted => ({
    ...{ fault, outcome, by },
    seconds: Math.round((performance.now() - began) / 1000),
  })
  writeFileSync(
    path,
    whole.replace(fault.find, () => fault.replace),
  )
  try {
    if (fault.tests.some(startsProgram)) await runToEnd(tree, ['scripts/build.mjs'], NEAREST_MS)
    for (const isSlow of [false, true]) {
      const tests = fault.tests.filter((test) => test.endsWith('.slow.test.ts') === isSlow)
      if (tests.length === 0) continue
      const command = ['node_modules/vitest/vitest.mjs', 'run', ...tests]
      const nearby = await failure(tree, command, NEAREST_MS, isSlow ? 'slow' : 'default')
      if (nearby !== undefined) return result('seen nearby', nearby)
    }
    const far = isNearestAlone ? undefined : await failure(tree, ['scripts/test.mjs'], WHOLE_MS)
    return far === undefined ? result('survived', '') : result('seen by the whole suite', far)
  } finally {
    writeFileSync(path, whole)
  }
}

/** Tests of SQL start the program too: statements run in a process of it. */
const startsProgram = (test: string) =>
  /support\/(servers\/run-program|postgres\/served-postgres)\.ts'|services\/sql\.ts'/.test(
    readFileSync(join(root, test), 'utf8'),
  )

/** The first test that fails; undefined when all pass. Errors: Error when tests could not be run at all. */
async function failure(
  tree: string,
  command: readonly string[],
  mostMs: number,
  tier: 'default' | 'slow' = 'default',
): Promise<string | undefined> {
  const report = join(tree, 'report.json')
  rmSync(report, { force: true })
  const args = [...command, '--bail=1', '--reporter=json', `--outputFile=${report}`]
  const { code, output } = await runToEnd(tree, args, mostMs, { ...process.env, TEST_TIER: tier })
  if (code === 0) return undefined
  return code === null ? `no end within ${mostMs / 60_000} min` : firstFailure(report, output)
}

/** Code null: it had to be killed, with everything that it had started. */
async function runToEnd(cwd: string, args: readonly string[], mostMs: number, env = process.env) {
  const child = spawn(process.execPath, args, { cwd, env, detached: true })
  const kill = () => process.kill(-(child.pid ?? 0), 'SIGKILL')
  process.on('exit', kill)
  const timer = setTimeout(kill, mostMs)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  )
  clearTimeout(timer)
  process.off('exit', kill)
  return { code, output }
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

function firstFailure(report: string, output: string): string {
  const fault = () => new Error(`no test was run: ${output.slice(-2000)}`)
  if (!existsSync(report)) throw fault()
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const failed = testResults
    .flatMap((file) => file.assertionResults)
    .find(({ status }) => status === 'failed')
  if (failed !== undefined) return failed.fullName
  const file = testResults.find(({ status }) => status === 'failed')
  if (file === undefined) throw fault()
  return file.message.split('\n')[0] ?? file.name
}
