import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'lossless-json'
import { readExact } from './exact-json.ts'

/** A complete small network, written and summed by an encoder of its own, not by this project's code. */
export const smallNetwork = fileURLToPath(new URL('../fixtures/small', import.meta.url))

/** Its oracle files alone. */
export const smallOracle = `${smallNetwork}/oracle`

/** A decoded message. */
export type Sample = Readonly<Record<string, unknown>>

interface ExpectedQuery {
  readonly network: 'iot' | 'mobile'
  readonly params: Readonly<Record<string, string>>
  readonly count: number
  /** Sums as the digits that stand in the file. */
  readonly totals: Readonly<Record<string, string>>
}

interface Expected {
  readonly queries: readonly ExpectedQuery[]
  readonly counts: Readonly<Record<string, number>>
}

/** The expected answers, with every number beyond 2^53 as its digits. */
export function readExpected(): Expected {
  const text = readFileSync(`${smallNetwork}/expected.json`, 'utf8')
  const digits = parse(text, undefined, (value) => value) as unknown as { queries: { totals: object }[] }
  const rounded = JSON.parse(text) as Expected
  return {
    ...rounded,
    queries: rounded.queries.map((query, index) => ({
      ...query,
      totals: { ...(digits.queries[index]?.totals as Record<string, string>) },
    })),
  }
}

/** Decoded messages as the encoder of the small network knew them, with every number exact. */
export function readSamples(): Readonly<Record<'iot' | 'mobile' | 'manifests', readonly Sample[]>> {
  const text = readFileSync(`${smallNetwork}/expected.json`, 'utf8')
  return readExact<{ samples: ReturnType<typeof readSamples> }>(text).samples
}
