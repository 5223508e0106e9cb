import { fail, type ParamFault } from './errors.ts'

/** Query parameters by name; a repeated one is an array. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>

/** Shortens a text for a sentence. */
export const clipped = (value: string) => (value.length > 80 ? `${value.slice(0, 80)}…` : value)
export const quoted = (value: string) => JSON.stringify(clipped(value))

/** A fault of a parameter: the rest of a sentence that begins with its name. */
export class Wrong {
  readonly sentence: string

  constructor(sentence: string) {
    this.sentence = sentence
  }
}

/** Checks one parameter and returns its value or the fault. */
export type ParameterCheck<T = unknown> = (given: RawQuery[string]) => T | Wrong

/** Ends a check with a fault, which the check must return. */
type Refuse = (sentence: string) => never

const wrong: Refuse = (sentence) => new Wrong(sentence) as never

/** Creates a check of one text. It refuses repeated parameters and NUL, and treats blank as absent. */
export function parameter<T>(read: (text: string | undefined, wrong: Refuse) => T): ParameterCheck<T> {
  return (given) => {
    if (typeof given === 'object') return wrong(`is given ${given.length} times; give it once`)
    if (given?.includes('\0')) return wrong('contains a NUL character; remove it')
    return read(given?.trim() === '' ? undefined : given, wrong)
  }
}

export const textParameter = parameter((text) => text)

/** A boolean parameter; false by default. */
export const booleanParameter = parameter((text, wrong) => {
  if (text === undefined || text === 'false') return false
  return text === 'true' ? true : wrong(`is ${quoted(text)}; use true or false`)
})

/** Refuses faults, if there are any. Errors: `malformed_request` that names every fault. */
export function refuse(faults: readonly ParamFault[]): void {
  if (faults.length === 0) return
  const sentences = new Set(faults.map(({ message }) => (message.endsWith('?') ? message : `${message}.`)))
  fail('malformed_request', [...sentences].join(' '), { faults })
}
