import { fail, type ParamFault } from './errors.ts'

/** Query parameters by name; a repeated one is an array. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>

/** As much of a text as a sentence shows. */
export const clipped = (value: string) => (value.length > 80 ? `${value.slice(0, 80)}…` : value)
export const quoted = (value: string) => JSON.stringify(clipped(value))

/** What is wrong with a parameter and what to write instead, as the rest of a sentence that begins with its name. */
export class Wrong {
  readonly sentence: string

  constructor(sentence: string) {
    this.sentence = sentence
  }
}

/** The check of one parameter: its value, or what is wrong with it. */
export type ParameterCheck<T = unknown> = (given: RawQuery[string]) => T | Wrong

/** Ends a check; what it gives has to be returned. */
type Refuse = (sentence: string) => never

const wrong: Refuse = (sentence) => new Wrong(sentence) as never

/** Reads one text without control characters that no stored value has; blank means absent. */
export function parameter<T>(read: (text: string | undefined, wrong: Refuse) => T): ParameterCheck<T> {
  return (given) => {
    if (typeof given === 'object') return wrong(`is given ${given.length} times; give it once`)
    if (given?.includes('\0')) return wrong('contains a NUL character; remove it')
    return read(given?.trim() === '' ? undefined : given, wrong)
  }
}

export const oneText = parameter((text) => text)

/** False unless given. */
export const yesOrNo = parameter((text, wrong) => {
  if (text === undefined || text === 'false') return false
  return text === 'true' ? true : wrong(`is ${quoted(text)}; use true or false`)
})

/** Errors: `malformed_request` that names every fault at once, if there is one. */
export function refuse(faults: readonly ParamFault[]): void {
  if (faults.length === 0) return
  const sentences = new Set(faults.map(({ message }) => (message.endsWith('?') ? message : `${message}.`)))
  fail('malformed_request', [...sentences].join(' '), { faults })
}
