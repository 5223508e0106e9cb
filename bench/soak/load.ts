import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { deriveSeed, openRandom } from '../../src/write/sample/random.ts'
import type { Chores } from './chores.ts'
import { drawQuestion, type Question } from './questions.ts'

/** What has been asked so far. */
export interface Asked {
  requests: number
  errors: number
  /** Requests by kind, and by kind those for which no caller was free. */
  readonly kinds: Map<string, number>
  skipped: number
}

export interface LoadOptions {
  readonly address: string
  readonly chores: Chores
  readonly seed: string
  /** Requests a second. */
  readonly rate: number
  readonly signal: AbortSignal
  readonly onError: (sentence: string) => void
}

const MOST_UNDER_WAY = 8
const MOST_SNAPSHOTS = 20
const LONGEST_MS = 60_000

/** Asks at a steady rate until the signal; a request for which nobody is free is left out. */
export async function load(options: LoadOptions, asked: Asked): Promise<void> {
  const { address, chores, seed, rate, signal, onError } = options
  const random = openRandom(deriveSeed('soak', seed))
  const snapshots: string[] = []
  const bodies = new Map<string, string>()
  const underWay = new Map<Promise<void>, string>()

  async function ask({ kind, path, query, status, check, asOf }: Question): Promise<void> {
    try {
      const reply = await fetch(address + path, {
        signal: AbortSignal.timeout(LONGEST_MS),
        ...(query !== undefined && {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        }),
      })
      const body = await reply.text()
      const snapshot = reply.headers.get('ledgerlake-snapshot') ?? ''
      const isGone = reply.status === 410 && asOf !== undefined && chores.isVacuumed(asOf)
      if (!isGone && reply.status !== status) throw new Error(`status ${reply.status}: ${body.slice(0, 300)}`)
      if (check === undefined) compare(path, body)
      else if (!isGone) check(body, await chores.filesOf(snapshot))
      if (snapshot !== '' && !snapshots.includes(snapshot)) snapshots.push(snapshot)
      if (snapshots.length > MOST_SNAPSHOTS) snapshots.shift()
    } catch (error) {
      asked.errors += 1
      const why = error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : error
      onError(`${kind}: ${path}${query === undefined ? '' : ` ${query}`}: ${why}`)
    }
    asked.requests += 1
    asked.kinds.set(kind, (asked.kinds.get(kind) ?? 0) + 1)
  }

  function compare(path: string, body: string): void {
    const digest = createHash('sha256').update(body).digest('base64')
    const first = bodies.get(path)
    if (first === undefined) bodies.set(path, digest)
    else if (first !== digest) throw new Error(`another body than at first: ${body.slice(0, 300)}`)
  }

  const { snapshot } = (await (await fetch(`${address}/readyz`)).json()) as { snapshot: string }
  snapshots.push(snapshot)
  let due = performance.now()
  while (!signal.aborted) {
    due = Math.max(due + 1000 / rate, performance.now() - 1000)
    await setTimeout(due - performance.now(), undefined, { signal }).catch(() => {})
    const question = drawQuestion(random, { days: chores.done().ingests, snapshots })
    // A worker sends few files at once.
    const isExporting = question.kind === 'export' && [...underWay.values()].includes('export')
    if (underWay.size >= MOST_UNDER_WAY || isExporting) {
      asked.skipped += 1
      continue
    }
    const one = ask(question).finally(() => underWay.delete(one))
    underWay.set(one, question.kind)
  }
  await Promise.all(underWay.keys())
}
