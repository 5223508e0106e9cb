import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const src = fileURLToPath(new URL('../../src', import.meta.url))

/** What runs in the processes of a server; a command that fails in between ends with an error, as it should. */
const serving =
  /^((base|doors|operate\/(keys|workers)|lake|engine|index|answers|services|cli\/serving)\/.*|cli\/commands\/serve\.ts)$/

/** Ways to begin work whose error would reach nobody, and end the process. */
const ways: readonly (readonly [string, RegExp])[] = [
  ['a timer', /(?<!await )(?<!\.)\b(setInterval|setTimeout|setImmediate)\(/],
  [
    'a promise that is dropped',
    /(^\s*|=> )void (?!inBackground\(|[\w.]+\.(set|delete|add|push|fill|assign)\()[\w.#?]+\((?!.*\.catch\()/,
  ],
  ['an async handler', /(\.(on|once|addListener)\([^,]+, |addEventListener\([^,]+, |createServer\()async\b/],
  ['an outcome that is looked at once', /^\s*[\w.#?]+(\([^()]*\))?\.(then|finally)\(/],
]

/** Lines that need no net, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'base/slices.ts: setImmediate(endSlice)': 'resumes a paused computation, which is awaited',
  'base/unless-gone.ts: outcome.then(': 'both outcomes are handled',
  'engine/separate-turn.ts: last = last.then(() => setImmediate())': 'a promise that resolves',
  'lake/integrity/hash-thread.ts: hash(job).then(': 'both outcomes are handled, in a thread',
  'answers/records/once.ts: reading.then(': 'both outcomes are handled',
  'doors/monitoring/health.ts: timer = setTimeout(': 'rejects a promise that is awaited',
  'doors/hooks/drain-body.ts: const timer = setTimeout(resolve, LINGER_MS)':
    'resolves a promise that is awaited',
  'doors/http/http-server.ts: if (pipeline.waiting.length > 0) setImmediate(next, socket, pipeline)':
    'begins a request that is guarded',
  'doors/http/in-slices.ts: if (isScheduled) setImmediate(runSlice)': 'begins requests that are guarded',
  'doors/http/in-slices.ts: setImmediate(runSlice)': 'begins requests that are guarded',
  'doors/http/request-signal.ts: const timer = setTimeout(': 'aborts a signal',
  'doors/postgres/serve-connection.ts: const timer = setTimeout(() => socket.destroy(), LOGIN_MS)':
    'closes a socket',
  'doors/postgres/session/deadline.ts: this.#timer = setTimeout(() => this.#end.abort(new Error(TOO_LONG)), ms)':
    'aborts a signal',
  'doors/postgres/wire/socket-channel.ts: timer = setTimeout(() => resolve(false), this.#stallMs)':
    'resolves a promise that is awaited',
  'doors/postgres/wire/socket-channel.ts: setTimeout(() => this.socket.destroy(), 1000).unref()':
    'closes a socket',
  'doors/http/unreadable-request.ts: setTimeout(() => socket.destroy(), LINGER_MS).unref()':
    'closes a socket',
  'cli/serving/reporter.ts: if (waiting.length === 0) setTimeout(printWaiting, ACCESS_DELAY_MS)':
    'writes to standard error, whose errors a listener gets',
  'services/library/client.ts: const timer = setTimeout(resolve, ms)': 'resolves a promise that is awaited',
  'cli/serving/by-workers.ts: setTimeout(SAMPLES_MS),': 'a promise that is awaited',
  'engine/duckdb/instances/pooled-instance.ts: work.then(isOver, isOver)': 'both outcomes are handled',
  'engine/duckdb/session.ts: const timer = setInterval(report, REPORT_EVERY_MS)':
    'of commands that ingest, where an error ends the command',
  'doors/concurrency/shared-work.ts: job.outcome.then(end, end)': 'both outcomes are handled',
  'doors/gate/turn-budget.ts: setImmediate(() => {': 'sets two numbers',
  'doors/files/download.ts: const timer = setTimeout(() => {': 'closes a socket',
  "answers/sql/process/sql-process.ts: timer = setTimeout(() => this.#kill('time'), GRACE_MS)":
    'ends a process',
  "answers/sql/process/sql-process.ts: const timer = setTimeout(() => this.#kill('time'), GRACE_MS)":
    'ends a process',
  "answers/sql/process/sql-process.ts: const timer = setTimeout(() => this.#kill('fault'), LOST_MS)":
    'ends a process',
  "answers/sql/process/sql-process.ts: const timer = setInterval(() => inBackground('watching the memory of SQL', look), LOOK_EVERY_MS)":
    'runs by background.ts, and keeps the program running meanwhile',
  'answers/sql/process/sql-processes.ts: this.#timer = setTimeout(() => {': 'ends a process by background.ts',
  "doors/documents/reference/script.ts: document.addEventListener('submit', async (event) => {":
    'runs in a browser',
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => serving.test(file) && file.endsWith('.ts') && file !== 'base/background.ts',
)

it('a server starts background work only through background.ts', () => {
  expect(files.length).toBeGreaterThan(250)
  const used = new Set<string>()
  const begun = files.flatMap((file) =>
    readFileSync(join(src, file), 'utf8')
      .split('\n')
      .flatMap((line) => {
        const found = ways.filter(([, way]) => way.test(line)).map(([name]) => name)
        if (found.length === 0) return []
        const sign = `${file}: ${line.trim()}`
        used.add(sign)
        return sign in allowed ? [] : [`${found.join(', ')} in ${sign}`]
      }),
  )
  expect(begun).toEqual([])
  expect(Object.keys(allowed).filter((sign) => !used.has(sign))).toEqual([])
})
