import type { Output } from './blocks.ts'

/** What differs from run to run, and what stands for it when outputs are compared. A new kind of it gets a line here. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/[a-z0-9]{40,}-[0-9a-f]{12}\b/g, '<snapshot>'],
  [/\bll_[0-9a-f]{12}_[\w…]+/g, '<key>'],
  [/\b\d+(\.\d+)? m?s\b/g, '<time>'],
  [/\b\d+(\.\d+)? [kMGT]B\b/g, '<size>'],
  [/\b\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ/g, '<folder of an instant>'],
  [/^(date|server-timing|x-request-id|etag|connection|keep-alive|age):.*$/gim, '<$1>'],
  [/ +$/gm, ''],
]

/** Whatever stands here is not shown by a page: any lines, none too, where it has a line to itself, else a part of a line, or more. */
const ELLIPSIS = '…'

/** Whether a run has put out what the page shows. Both are given as they are compared, for a message. */
export function sameOutput(
  expected: Output,
  actual: string,
): { isSame: boolean; expected: string; actual: string } {
  const [shown, said] = [expected.text, actual].map((text) => comparable(text, expected.isJson)) as [
    string,
    string,
  ]
  return { isSame: patternOf(shown).test(`${said}\n`), expected: shown, actual: said }
}

function patternOf(shown: string): RegExp {
  const lines = shown.split('\n').map((line) => {
    if (line === ELLIPSIS) return '(?:.*\n)*?'
    return `${line.split(ELLIPSIS).map(escaped).join('[\\s\\S]*?')}\n`
  })
  return new RegExp(`^${lines.join('')}$`)
}

function comparable(text: string, isJson: boolean): string {
  const whole = isJson ? text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1') : text.trim()
  return changing.reduce((changed, [pattern, name]) => changed.replaceAll(pattern, name), whole)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
