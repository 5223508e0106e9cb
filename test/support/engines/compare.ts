import { existsSync, readFileSync } from 'node:fs'

type Measures = Readonly<Record<string, string | null>>

/** What the program of an engine found, by table. */
export interface Found {
  readonly version: string
  readonly tables: Readonly<Record<string, Measures>>
  readonly older: Readonly<Record<string, Measures>>
  readonly errors: Readonly<Record<string, string>>
  /** Rows of each view that was written. */
  readonly views: Readonly<Record<string, number>>
}

/** How an engine did beside what is expected; `differences` has a sentence for each value that differs or is missing. */
export interface Verdict {
  readonly tables: number
  readonly equalTables: number
  readonly values: number
  readonly equalValues: number
  readonly differences: readonly string[]
}

/** Every measure of either side counts, so that a table, a column or a partition value too many is told as one too few is. */
export function compareMeasures(
  expected: Readonly<Record<string, Measures>>,
  found: Readonly<Record<string, Measures>>,
): Verdict {
  const differences: string[] = []
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])]
  let [values, equalTables] = [0, 0]
  for (const name of names) {
    const [should, does] = [expected[name] ?? {}, found[name] ?? {}]
    const measures = [...new Set([...Object.keys(should), ...Object.keys(does)])]
    const wrong = measures.filter((measure) => should[measure] !== does[measure])
    for (const measure of wrong)
      differences.push(`${name}, ${measure}: ${say(does[measure])}, expected ${say(should[measure])}`)
    values += measures.length
    if (wrong.length === 0) equalTables += 1
  }
  return { tables: names.length, equalTables, values, equalValues: values - differences.length, differences }
}

/** Rows of views, a list of texts in each line of a file; their order does not count. */
export function compareRows(name: string, expectedFile: string, foundFile: string): Verdict {
  const [should, does] = [linesOf(expectedFile), linesOf(foundFile)]
  const lines = Math.max(should.length, does.length)
  const places = Array.from({ length: lines }, (_, place) => place)
  const wrong = places.filter((place) => should[place] !== does[place])
  const width = should[0] === undefined ? 0 : JSON.parse(should[0]).length
  const differences = wrong.map((place) => `${name}: ${say(does[place])}, expected ${say(should[place])}`)
  return {
    ...{ tables: 1, equalTables: wrong.length === 0 ? 1 : 0, values: lines * width },
    ...{ equalValues: (lines - wrong.length) * width, differences },
  }
}

export function together(verdicts: readonly Verdict[]): Verdict {
  const sum = (of: (one: Verdict) => number) => verdicts.reduce((total, one) => total + of(one), 0)
  return {
    ...{ tables: sum((one) => one.tables), equalTables: sum((one) => one.equalTables) },
    ...{ values: sum((one) => one.values), equalValues: sum((one) => one.equalValues) },
    differences: verdicts.flatMap((one) => one.differences),
  }
}

/** The rows of a file as text in one spelling, in the order of texts; none of a file that was not written. */
function linesOf(file: string): readonly string[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.stringify(JSON.parse(line))).sort()
}

const say = (value: string | null | undefined) => (value === undefined ? 'nothing' : String(value))
