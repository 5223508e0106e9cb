import { NoReply, type Target } from './ask.ts'
import type { Case, Chapter, Level } from './corpus.ts'
import { casesFor, type Outcome, runChapter } from './run.ts'

interface Report {
  readonly passed: number
  readonly failed: number
}

const requirement = (inputs: readonly string[]) =>
  `The server has to hold the files below these folders, and nothing else:\n${inputs.map((path) => `  ${path}`).join('\n')}`

/**
 * Asks a server every case and tells what it finds, chapter by chapter. The first chapter probes for the data.
 * Errors: `NoReply` when the server answers none of the probes.
 */
export async function reportConformance(
  chapters: readonly Chapter[],
  inputs: readonly string[],
  target: Target,
  level: Level,
  say: (line: string) => void,
): Promise<Report> {
  say(requirement(inputs))
  const [data, ...others] = chapters
  if (data === undefined) throw new Error('there is no chapter')
  const probes = await runAll(data, target, level)
  if (probes.every(({ isAnswered }) => !isAnswered)) {
    throw new NoReply(`${target.baseUrl} does not answer: ${probes[0]?.difference?.found}`)
  }
  const outcomes = [...probes]
  tell(data, probes, say)
  if (probes.some(({ difference }) => difference !== undefined)) {
    say('  The server does not seem to hold this; what follows may fail for that alone.')
  }
  for (const chapter of others) {
    const own = await runAll(chapter, target, level)
    outcomes.push(...own)
    tell(chapter, own, say)
    const left = missing(chapter, level, target)
    if (left !== '') say(`  Not asked: ${left}.`)
  }
  const failed = outcomes.filter(({ difference }) => difference !== undefined).length
  const passed = outcomes.length - failed
  say(`\n${passed} passed, ${failed} failed of ${outcomes.length} cases at level ${level}`)
  return { passed, failed }
}

async function runAll(chapter: Chapter, target: Target, level: Level): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for await (const outcome of runChapter(chapter, target, level)) outcomes.push(outcome)
  return outcomes
}

function tell({ title }: Chapter, outcomes: readonly Outcome[], say: (line: string) => void): void {
  const failures = outcomes.filter(({ difference }) => difference !== undefined)
  say(`\n${title}: ${outcomes.length - failures.length} passed, ${failures.length} failed`)
  for (const { of, request, difference } of failures) {
    say(`  - ${of.title}`)
    say(`    ${request}`)
    say(`    ${difference?.path}: expected ${difference?.expected}`)
    say(`    ${' '.repeat(difference?.path.length ?? 0)}  found    ${difference?.found}`)
  }
}

const flags: Readonly<Record<NonNullable<Case['needs']>, string>> = {
  keys: 'without --key',
  'plain key': 'without --plain-key',
}

function missing({ cases }: Chapter, level: Level, target: Target): string {
  const asked = new Set(casesFor({ name: '', title: '', cases }, level, target))
  const left = cases.filter((own) => !asked.has(own) && own.needs !== undefined && isOfLevel(own, level))
  const counts = Object.entries(flags).map(
    ([needs, why]) => [left.filter((own) => own.needs === needs).length, why] as const,
  )
  return counts.flatMap(([count, why]) => (count === 0 ? [] : [`${count} cases ${why}`])).join(', ')
}

function isOfLevel(own: Case, level: Level): boolean {
  return level === 'decision' || own.level === 'spec'
}
