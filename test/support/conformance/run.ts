import { addressOf, ask, bodyOf, NoReply, type Reply, type Target } from './ask.ts'
import { type Comparison, type Difference, firstDifference } from './compare.ts'
import type { Case, Chapter, Level } from './corpus.ts'

/** What became of a case. */
export interface Outcome {
  readonly of: Case
  /** Method and address as they were sent. */
  readonly request: string
  /** Undefined when the case passed. */
  readonly difference: Difference | undefined
  /** Whether anything came back at all. */
  readonly isAnswered: boolean
}

/** The cases of a chapter that this server can be asked at this level. */
export function casesFor({ cases }: Chapter, level: Level, { key, plainKey }: Target): readonly Case[] {
  const has = { keys: key !== undefined, 'plain key': plainKey !== undefined }
  return cases.filter(
    (own) => (level === 'decision' || own.level === 'spec') && (own.needs === undefined || has[own.needs]),
  )
}

/** Asks one case and compares; what earlier cases of the chapter kept is known. Never throws for what a server does. */
async function runCase(own: Case, target: Target, comparison: Comparison): Promise<Outcome> {
  const { method, url } = addressOf(own, target, comparison.kept)
  const outcome = { of: own, request: `${method} ${url}` }
  try {
    const reply = await ask(own, target, comparison.kept)
    return { ...outcome, isAnswered: true, difference: differenceOf(own, reply, comparison) }
  } catch (error) {
    if (!(error instanceof NoReply)) throw error
    const difference = { path: 'reply', expected: 'a reply', found: error.message }
    return { ...outcome, isAnswered: false, difference }
  }
}

/** Where a reply is not what a case expects. */
export function differenceOf(own: Case, reply: Reply, comparison: Comparison): Difference | undefined {
  const status = firstDifference(own.status, reply.status, comparison, 'status')
  if (status !== undefined) {
    return { ...status, found: `${status.found} ${reply.text.slice(0, 200)}`.trimEnd() }
  }
  for (const [name, value] of Object.entries(own.replyHeaders ?? {})) {
    const text = reply.headers.get(name)
    // A media type may carry parameters.
    const found = name === 'content-type' ? text?.split(';')[0]?.trim() : (text ?? undefined)
    const difference = firstDifference(value, found, comparison, `header ${name}`)
    if (difference !== undefined) return difference
  }
  if (own.body === undefined) return undefined
  const body = bodyOf(reply)
  if ('fault' in body) return { path: 'body', expected: 'JSON', found: body.fault }
  const difference = firstDifference(own.body, body.json, comparison)
  return difference && { ...difference, path: `body ${difference.path}`.trimEnd() }
}

/** Asks the cases of a chapter one after the other. */
export async function* runChapter(chapter: Chapter, target: Target, level: Level): AsyncGenerator<Outcome> {
  const kept = new Map<string, string>()
  for (const own of casesFor(chapter, level, target)) yield await runCase(own, target, { level, kept })
}
