import type { Coverage, EpochRun, FewNames } from '../answers/coverage/coverage.ts'
import { DAY_MS, dateOf, dayOf, epochOf } from '../base/values/epoch-day.ts'
import { readInstant } from '../base/values/instant.ts'
import { counted } from './terminal-text.ts'

/** Number of newest months that are always shown; older months are shown only if they have gaps. */
const NEWEST_MONTHS = 12
const MOST_LINES = 20
const MOST_FILES = 3

const RULER = '           1        10        20        30'

/** Returns a line for each month and a sentence for each gap. Lines have at most 80 columns, apart from file names. */
export function calendarLines(table: string, coverage: Coverage): readonly string[] {
  const { present, expected } = coverage.epochs
  const head = `${table}: data for ${present} of ${expected} days`
  return [head, ...monthLines(coverage), ...few(gapLines(coverage), MOST_LINES)]
}

export const calendarLegend: readonly string[] = [
  'Days, by what was paid for them:',
  '  #  in   .  missing   /  a file is missing   m  no manifest   l  came late',
  '  u  in older files that cannot be read',
]

function monthLines({ from, to, epochs, manifests }: Coverage): readonly string[] {
  const marks = new Map<number, string>()
  const mark = (runs: readonly EpochRun[], sign: string) => {
    for (const { first, days } of runs)
      for (let day = 0; day < days; day += 1) marks.set(numberOf(first) + day, sign)
  }
  mark(epochs.late ?? [], 'l')
  mark(manifests?.missing ?? [], 'm')
  mark(epochs.incomplete ?? [], '/')
  mark(epochs.missing, '.')
  mark(epochs.unreadable ?? [], 'u')
  const months = new Map<string, string>()
  const dayAt = manifests === null ? dayOf : epochOf
  for (let day = dayAt(readInstant(from) ?? 0n); day <= dayAt(readInstant(to) ?? 0n); day += 1) {
    const date = dateOf(day)
    const index = Number(date.slice(8)) - 1
    const line = (months.get(date.slice(0, 7)) ?? '').padEnd(index)
    months.set(date.slice(0, 7), `${line}${marks.get(day) ?? '#'}`)
  }
  const all = [...months].map(([month, line]) => ({ month, line }))
  const shown = all.filter(({ line }, index) => /[^# ]/.test(line) || index >= all.length - NEWEST_MONTHS)
  const left = all.length - shown.length
  return [
    RULER,
    ...(left === 0 ? [] : [`  ${counted(left, 'older month')} without gaps`]),
    ...shown.map(({ month, line }) => `  ${month}  ${line}`),
  ]
}

function gapLines({ epochs, manifests, files }: Coverage): readonly string[] {
  if (manifests === null) {
    const gaps = epochs.missing.map((run) => `  no rows of ${nameOf(run)}`)
    return [...gaps, '  whether a day has all its rows is not known: nothing names the files of L1']
  }
  return [
    ...epochs.missing.map(missingLine),
    ...(epochs.incomplete ?? []).map((run) => `  files of ${nameOf(run)} are missing`),
    ...(epochs.late ?? []).map((run) => `  a file of ${nameOf(run)} came after a later day was in`),
    ...manifests.missing.map((run) => `  no manifest names files of ${nameOf(run)}`),
    ...fileLines('named by a manifest and not in', files?.missing),
    ...fileLines('that cannot be read', files?.unreadable),
    ...fileLines('in without a manifest', files?.without_manifest),
  ]
}

/** Names both dates: parameters of requests use the end of a period, which is the day after the paid day. */
function missingLine(run: EpochRun): string {
  const { first, last, days } = run
  const [firstEnd, lastEnd] = [first, last].map((date) => dateOf(numberOf(date) + 1))
  return days === 1
    ? `  no data for ${first} (the period that ends on ${firstEnd} is missing)`
    : `  no data for ${nameOf(run)} (periods ending ${firstEnd} to ${lastEnd})`
}

function fileLines(what: string, { count, names }: FewNames = { count: 0, names: [] }): readonly string[] {
  if (count === 0) return []
  const head = `  ${counted(count, 'file')} ${what}:`
  const more = count > MOST_FILES ? [`    and ${count - MOST_FILES} more`] : []
  return [head, ...names.slice(0, MOST_FILES).map((name) => `    ${name}`), ...more]
}

function nameOf({ first, last, days }: EpochRun): string {
  return days === 1 ? first : `${first} to ${last}`
}

function numberOf(date: string): number {
  return Date.parse(date) / DAY_MS
}

function few(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines
  return [...lines.slice(0, most), `  and ${lines.length - most} more lines; status --json has all`]
}
