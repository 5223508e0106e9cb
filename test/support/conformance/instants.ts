import type { ExactJson } from './corpus.ts'

/** An ISO 8601 date-time with an offset or none, which is UTC. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/

/** Whether a text is the instant that another one names, in whichever offset and number of digits. */
export function isInstant(text: string, is: ExactJson | undefined): boolean {
  const own = readDateTime(text)
  return own !== undefined && (is === undefined || own === readDateTime(String(is)))
}

/** Milliseconds, then the digits of the second's fraction: a text that is equal for equal instants. */
function readDateTime(text: string): string | undefined {
  const [, date, time, fraction = '', offset = 'Z'] = DATE_TIME.exec(text) ?? []
  if (date === undefined) return undefined
  const milliseconds = Date.parse(`${date}T${time}${offset}`)
  return Number.isNaN(milliseconds) ? undefined : `${milliseconds}.${fraction.replace(/0+$/, '')}`
}
