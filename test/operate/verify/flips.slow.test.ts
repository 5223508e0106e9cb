import { closeSync, cpSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { isFault } from '../../../src/operate/verify/finding.ts'
import type { Verifier } from '../../../src/operate/verify/verify.ts'
import { deriveSeed, openRandom, type Random } from '../../../src/write/sample/random.ts'
import { smallNetwork } from '../../support/fixtures.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { filesBelow } from '../../support/lakes/leftovers.ts'
import { derive, makeSoundLake, verifierOf } from '../../support/lakes/sound-lake.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** `npm run test:long -- flips` sets these. */
const numberIn = (name: string, fallback: number) => Number(process.env[name] ?? fallback)
const FLIPS = numberIn('FLIPS', 450)
const SEED = numberIn('FLIPS_SEED', 1)
/** Of the flips, so many are looked for by whole runs too. */
const WHOLE = numberIn('FLIPS_WHOLE', 8)

/** Every kind of file of a lake, by its path; the first that fits. */
const kinds: Readonly<Record<string, RegExp>> = {
  'log entry': /_delta_log\/\d{20}\.json$/,
  checkpoint: /_delta_log\/_snapshot/,
  'checkpoint of others': /_delta_log\/.*parquet$/,
  'last checkpoint': /_last_checkpoint$/,
  'index by hotspot': /^_state\/by-key\//,
  'index of a file': /^_state\/index\/.*list-/,
  'index by a column': /^_state\/index\//,
  'offloaded bytes': /^_state\/offloaded-bytes\.json$/,
  'key file': /keys\.ndjson$/,
  usage: /keys\.usage$/,
  'log of counts': /keys\.usage\.log\//,
  'note of keys': /_keys_needed$/,
  facts: /_facts\//,
  'live data file': /\.parquet$/,
}

/** A bit of a file. */
interface Flip {
  readonly kind: string
  readonly path: string
  readonly bit: number
}

/** As many of each kind, and the rest by the sizes of files. */
function drawFlips(lake: string, live: ReadonlySet<string>, random: Random): readonly Flip[] {
  const files = filesBelow(lake).flatMap((path) => {
    const [kind] = Object.entries(kinds).find(([, pattern]) => pattern.test(path)) ?? []
    const bits = 8 * statSync(join(lake, path)).size
    const isOld = kind === 'live data file' && !live.has(join(lake, path))
    return bits === 0 ? [] : [{ path, bits, kind: isOld ? 'older data file' : String(kind) }]
  })
  const names = [...new Set(files.map(({ kind }) => kind))].sort()
  expect(names).toEqual([...Object.keys(kinds), 'older data file'].sort())
  const drawFrom = (some: typeof files): Flip => {
    const all = some.reduce((sum, { bits }) => sum + bits, 0)
    let bit = random.below(all)
    const file = some.find(({ bits }) => {
      if (bit < bits) return true
      bit -= bits
      return false
    })
    if (file === undefined) throw new Error('a bit beyond the last file')
    return { kind: file.kind, path: join(lake, file.path), bit }
  }
  const share = Math.floor((FLIPS * 2) / 3 / names.length)
  const ofEach = names.flatMap((name) =>
    Array.from({ length: share }, () => drawFrom(files.filter(({ kind }) => kind === name))),
  )
  return [...ofEach, ...Array.from({ length: FLIPS - ofEach.length }, () => drawFrom(files))]
}

/** Flips a bit where it is, so that the file stays the same one; and back. */
function flip({ path, bit }: Flip): void {
  const file = openSync(path, 'r+')
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, bit >>> 3)
  byte[0] = (byte[0] ?? 0) ^ (1 << (bit & 7))
  writeSync(file, byte, 0, 1, bit >>> 3)
  closeSync(file)
}

async function isFound(verifier: Verifier, { path, kind }: Flip): Promise<boolean> {
  const found = await verifier.again([path])
  // That the note is there is all that it says, whatever its words are.
  return kind === 'note of keys' ? found.length === 1 : found.some(isFault)
}

it(`verify finds each of ${FLIPS} flipped bits of seed ${SEED} in every kind of file`, async () => {
  const lake = join(await temporaryFolder(), 'lake')
  cpSync((await makeSoundLake()).folder, lake, { recursive: true })
  await ingestInto(lake, [smallNetwork])
  await derive(lake)
  const at = await new Lake(lake).latest()
  const verifier = await verifierOf(lake, 'with an engine')
  expect((await verifier.verify()).findings.filter(isFault)).toEqual([])
  const live = new Set(at.tables.flatMap(({ files }) => files.map(({ path }) => path)))
  const flips = drawFlips(lake, live, openRandom(deriveSeed('flips', SEED)))
  const missed: string[] = []
  const tried: Record<string, number> = {}
  const started = performance.now()
  for (const one of flips) {
    flip(one)
    if (!(await isFound(verifier, one)))
      missed.push(`${one.kind}: bit ${one.bit} of ${one.path.slice(lake.length)}`)
    flip(one)
    tried[one.kind] = (tried[one.kind] ?? 0) + 1
  }
  console.log(`${flips.length} flips in ${((performance.now() - started) / 1000).toFixed(1)} s`, tried)
  expect(missed).toEqual([])
  // What a whole run reads of the logs is kept for single files, so the two are not one.
  const other = await verifierOf(lake, 'with an engine')
  const step = Math.ceil(flips.length / WHOLE)
  for (const one of flips.filter((_, place) => place % step === 0)) {
    flip(one)
    const narrow = await verifier.again([one.path])
    const whole = (await other.verify()).findings
    flip(one)
    expect(whole.filter((own) => narrow.some(({ file }) => file === own.file))).toEqual(narrow)
  }
  expect((await other.verify()).findings.filter(isFault)).toEqual([])
})
