import { readFileSync } from 'node:fs'
import { readExact } from './exact-json.ts'
import { smallNetwork } from './fixtures.ts'

export type Sample = Readonly<Record<string, unknown>>

/** Decoded messages of the small network as its own encoder knew them, with every number exact. */
export function readSamples(): Readonly<Record<'iot' | 'mobile' | 'manifests', readonly Sample[]>> {
  const text = readFileSync(`${smallNetwork}/expected.json`, 'utf8')
  return readExact<{ samples: ReturnType<typeof readSamples> }>(text).samples
}
