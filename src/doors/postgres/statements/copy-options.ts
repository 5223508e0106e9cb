import { refuse } from '../wire/postgres-error.ts'
import { unquoted, type Word } from './words.ts'

/** How COPY writes rows. */
export interface CopyOptions {
  readonly format: 'text' | 'csv' | 'binary'
  readonly delimiter: string
  readonly nullText: string
  readonly hasHeader: boolean
  readonly quote: string
  readonly escape: string
}

const isOn = (value: string | undefined) => value === undefined || /^(true|on|1|match)$/i.test(value)

/** Reads the options of COPY: `WITH (FORMAT csv, HEADER)`, or the older `CSV HEADER`. Errors: 0A000, 42601. */
export function copyOptionsOf(words: readonly Word[]): CopyOptions {
  const list = words
    .map(({ text }) => text)
    .filter((text) => !['with', '(', ')', ',', 'as', ';'].includes(text))
  const given = new Map<string, string | undefined>()
  for (let at = 0; at < list.length; at += 1) {
    const name = list[at] ?? ''
    if (name === 'csv' || name === 'binary') given.set('format', name)
    else if (name === 'header')
      given.set('header', /^(true|false|on|off|0|1)$/.test(list[at + 1] ?? '') ? list[++at] : undefined)
    else if (['format', 'delimiter', 'null', 'quote', 'escape', 'encoding'].includes(name))
      given.set(name, unquoted(list[++at] ?? ''))
    else
      refuse(
        '0A000',
        `COPY has the option ${JSON.stringify(name)}; use FORMAT, HEADER, DELIMITER, NULL, QUOTE or ESCAPE.`,
      )
  }
  const format = (given.get('format') ?? 'text').toLowerCase()
  if (format !== 'text' && format !== 'csv' && format !== 'binary')
    return refuse('22023', `COPY has the format ${JSON.stringify(format)}; use text, csv or binary.`)
  const quote = one('QUOTE', given.get('quote') ?? '"')
  return {
    format,
    delimiter: one('DELIMITER', given.get('delimiter') ?? (format === 'csv' ? ',' : '\t')),
    nullText: given.get('null') ?? (format === 'csv' ? '' : '\\N'),
    hasHeader: given.has('header') && isOn(given.get('header')),
    quote,
    escape: one('ESCAPE', given.get('escape') ?? quote),
  }
}

function one(name: string, text: string): string {
  const character = text === '\\t' ? '\t' : text
  if (character.length !== 1 || /[\r\n\0]/.test(character))
    refuse('22023', `${name} of COPY is ${JSON.stringify(text)}; use one character.`)
  return character
}
