import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openChores } from './chores.ts'
import { type Asked, load } from './load.ts'
import { judge, WARM_SECONDS } from './verdict.ts'
import { lookAt, type Sample } from './watch.ts'

/**
 * Serves a lake for hours under mixed requests while days are ingested, months compacted and old files removed:
 * npm run bench -- soak --hours 1. Every answer is compared with what its snapshot has to give. At the end a server that was just started is
 * asked the same over the same lake: what the first one holds beyond it is what time has cost, and not the days that came. Samples go to a
 * file, a line each; --report FILE judges one again, and an interrupt ends a run early and judges what there is. Exit code 1 when memory
 * or open files rise, or anything was wrong.
 */

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    // Full within the first minutes; one that still fills is no leak.
    'answer-memory-mb': { type: 'string', default: '16' },
    rate: { type: 'string', default: '10' },
    'ingest-every': { type: 'string', default: '60' },
    'sample-every': { type: 'string', default: '5' },
    warm: { type: 'string', default: String(WARM_SECONDS) },
    /** How long a server that was just started is watched at the end, over the lake as it then is. */
    'fresh-minutes': { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: join(tmpdir(), 'ledgerlake-soak.ndjson') },
    program: { type: 'string', default: fileURLToPath(new URL('../../bin/ledgerlake', import.meta.url)) },
    report: { type: 'string' },
  },
})
const numberOf = (name: Exclude<keyof typeof values, 'seed' | 'out' | 'program' | 'report'>) => {
  const number = Number(values[name])
  if (number >= 0 && values[name] !== '') return number
  throw new Error(`--${name} is ${values[name]}; use a number such as 1 or 0.5`)
}
const warm = numberOf('warm')
if (values.report === undefined) await soak()
report(values.report ?? values.out)

async function soak(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'ledgerlake-soak-'))
  const lake = join(home, 'lake')
  const program = resolve(values.program)
  const run = (args: readonly string[]) => runToEnd(program, args)
  const base = ['--hotspots', '1500', '--seed', values.seed]
  await run(['sample', '--out', join(home, 'base'), '--days', '30', '--start', '2024-06-01', ...base])
  await run(['sample', '--out', join(home, 'past'), '--l1', '--transactions', '20000', ...base])
  await run(['ingest', join(home, 'base'), join(home, 'past'), '--lake', lake])

  const chores = openChores(lake, home, run)
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(values.out, '')
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
  const asked: Asked = { requests: 0, errors: 0, kinds: new Map(), skipped: 0 }
  const onError = (sentence: string) => note({ error: sentence })

  /** Serves for so long, and tends the lake unless the server is there to be compared with. */
  async function watch(wantedSeconds: number, isFresh: boolean): Promise<void> {
    const { pid, address, ended, stop } = await serve(program, lake)
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, stopped.signal])
    const fail = (error: unknown) => {
      if (signal.aborted) return
      asked.errors += 1
      onError(String(error))
    }
    const began = performance.now()
    const seconds = () => (performance.now() - began) / 1000
    const pause = (name: 'ingest-every' | 'sample-every') =>
      setTimeout(numberOf(name) * 1000, undefined, { signal }).catch(() => {})
    const noteSeen = (seen: Awaited<ReturnType<typeof lookAt>>) => {
      const { requests, errors } = asked
      const { ingests = 0 } = chores.done()
      note({ seconds: seconds(), ...seen, requests, errors, ingests, isFresh } satisfies Sample)
    }

    async function look(): Promise<void> {
      while (!signal.aborted) {
        await pause('sample-every')
        await lookAt(pid, address).then(noteSeen, fail)
        if (seconds() >= wantedSeconds) over.abort()
      }
    }
    async function tend(): Promise<void> {
      while (!signal.aborted && !isFresh) {
        await chores.next().catch(fail)
        await pause('ingest-every')
      }
    }
    void ended.then(() => {
      fail('the server ended')
      over.abort()
    })
    const rate = numberOf('rate')
    await Promise.all([
      look(),
      tend(),
      load({ address, chores, seed: values.seed, rate, signal, onError }, asked),
    ])
    await stop()
  }

  await watch(numberOf('hours') * 3600, false)
  if (!stopped.signal.aborted) await watch(numberOf('fresh-minutes') * 60, true)
  note({ kinds: Object.fromEntries(asked.kinds), skipped: asked.skipped, ...chores.done() })
  await rm(home, { recursive: true })
}

function note(line: object): void {
  appendFileSync(values.out, `${JSON.stringify(line)}\n`)
}

function report(file: string): void {
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const { faults, ...figures } = judge(
    lines.filter((line): line is Sample => 'rssMb' in line),
    warm,
  )
  for (const { error } of lines.filter((line) => 'error' in line).slice(0, 20)) console.error(error)
  console.log(JSON.stringify({ ...figures, ...lines.find((line) => 'kinds' in line) }, null, 2))
  console.log(faults.length === 0 ? `It stays flat. Samples: ${file}` : `${faults.join('.\n')}.`)
  if (faults.length > 0) process.exitCode = 1
}

async function runToEnd(program: string, args: readonly string[]): Promise<void> {
  const child = spawn('nice', ['-n', '10', program, ...args], {
    // An interrupt from a terminal is for this script alone.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (part) => {
    said = (said + part).slice(-2000)
  })
  const code = await new Promise((settle) => child.once('close', settle))
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${said}`)
}

async function serve(program: string, lake: string) {
  const flags = [
    '--lake',
    lake,
    '--port',
    '0',
    '--workers',
    values.workers,
    '--answer-memory-mb',
    values['answer-memory-mb'],
  ]
  const child = spawn(program, ['serve', ...flags], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const ended = new Promise<void>((settle) => child.once('close', () => settle()))
  const address = await new Promise<string>((settle, reject) => {
    let text = ''
    child.stdout.on('data', (part) => {
      text += part
      const printed = / at (http:\/\/\S+)\/\n/.exec(text)?.[1]
      if (printed !== undefined) settle(printed)
    })
    void ended.then(() => reject(new Error('serve ended before it listened')))
  })
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { pid: child.pid ?? 0, address, ended, stop }
}
