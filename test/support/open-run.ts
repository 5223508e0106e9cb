import { parseArgs } from 'node:util'

type Flags = Readonly<Record<string, string | undefined>>

/** What a flag has: the text given, or the usual one where there is one. */
type Values<T extends Flags> = {
  readonly [Name in keyof T]: T[Name] extends string ? string : string | undefined
}

/** A long run from the command line. */
export interface OpenRun<T extends Flags> {
  readonly values: Values<T>
  /** The parts that `--only` names; all of them without it. */
  readonly only: readonly string[]
  /** Whole seconds since it began. */
  seconds(): number
  /** Prints a line that begins with them. */
  say(line: string): void
}

/** Reads the flags of a run; one without a usual text is undefined unless it is given. Errors: Error for an unknown part. */
export function openRun<T extends Flags>(usual: T, parts: readonly string[] = []): OpenRun<T> {
  const known: Flags = parts.length === 0 ? usual : { ...usual, only: parts.join() }
  const options = Object.entries(known).map(([name, text]) => [
    name,
    { type: 'string' as const, ...(text !== undefined && { default: text }) },
  ])
  const { values } = parseArgs({ options: Object.fromEntries(options) })
  const given = values as Values<T> & { readonly only?: string }
  const only = (given.only ?? '').split(',')
  if (parts.length > 0 && only.some((name) => !parts.includes(name)))
    throw new Error(`--only is ${given.only}; use one of ${parts.join(', ')}`)
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1000)
  return {
    values: given,
    ...{ only, seconds, say: (line: string) => console.log(`${seconds()} s: ${line}`) },
  }
}
