import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect, it } from 'vitest'
import type { DataFile } from '../../../src/lake/facts/data-file.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { everyAnswer } from '../../support/every-answer.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { pick } from '../../support/network/draw.ts'
import { askGraphql } from '../../support/servers/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { some } from '../../support/some.ts'

/** `npm run test:long -- served-flips` sets both. */
const flips = Number(process.env.FLIPS ?? 100)
const seed = process.env.FLIPS_SEED ?? '1'
const REQUESTS = 4

/** What a flip came to. */
interface Outcome {
  readonly file: string
  readonly bit: number
  readonly wrong: readonly string[]
  readonly refused: number
}

/** A table's answers, by what was asked: its lists over REST, and over GraphQL. */
function answersOf(
  table: string,
  all: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  const path = table.replace(/^l1_/, '').replaceAll('_', '-')
  const call = table.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const own = new RegExp(`^/l[12]/${path}[?/]|^\\{ list: ${call}\\(`)
  return Object.entries(all).filter(([asked]) => own.test(asked))
}

async function ask(server: TestServer, asked: string): Promise<{ status: number; text: string }> {
  if (asked.startsWith('/')) return await server.get(asked)
  const { text, errors } = await askGraphql(server.server, asked)
  return { text, status: errors?.[0]?.extensions.code === 'lake_damaged' ? 503 : 200 }
}

/** Flips one bit, before requests or among them; asks; mends it, and asks the same again. */
async function flipOne(
  server: TestServer,
  file: DataFile,
  asked: readonly (readonly [string, string])[],
  isAmong: boolean,
  bit: number,
  lake: string,
): Promise<Outcome> {
  const whole = readFileSync(file.path)
  const flipped = Buffer.from(whole)
  flipped.writeUInt8(whole.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
  const begun = isAmong ? asked.map(([question]) => ask(server, question)) : []
  if (isAmong) for (let turns = bit % 4; turns > 0; turns -= 1) await new Promise(setImmediate)
  writeFileSync(file.path, flipped)
  const replies = [
    ...(await Promise.all(begun)),
    ...(await Promise.all(asked.map(([question]) => ask(server, question)))),
  ]
  writeFileSync(file.path, whole)
  replies.push(...(await Promise.all(asked.map(([question]) => ask(server, question)))))
  const name = relative(lake, file.path)
  const wrong: string[] = []
  let refused = 0
  for (const [place, { status, text }] of replies.entries()) {
    const [question = '', sound] = asked[place % asked.length] ?? []
    const isMended = place >= replies.length - asked.length
    const isNamed = status === 503 && text.includes(`${name} of the lake is damaged`) && !isMended
    if (isNamed) refused += 1
    else if (status !== 200 || text !== sound) wrong.push(`${question}: ${status} ${text.slice(0, 200)}`)
  }
  return { file: name, bit, wrong, refused }
}

it(`after each of ${flips} flipped bits a served lake returns right responses, or 503 with the file`, async () => {
  const lake = await smallLake('a commit for each file')
  const server = await buildTestServer(lake)
  const sound = await everyAnswer(server)
  const at = await new Lake(lake).latest()
  const asked = at.tables.filter(({ resource }) => resource.name !== 'rejects' && resource.rest !== undefined)
  const files = some(
    asked.flatMap((table) => table.files.map((file) => ({ table: table.resource.name, ...file }))),
  )
  const random = openRandom(deriveSeed('flips', seed))
  const outcomes: Outcome[] = []
  for (let done = 0; done < flips; done += 1) {
    const file = pick(files, random)
    const [bit, isAmong] = [random.below(file.bytes * 8), random.chance(0.3)]
    const answers = answersOf(file.table, sound)
    const questions = Array.from({ length: REQUESTS }, () => pick(answers, random))
    outcomes.push(await flipOne(server, file, questions, isAmong, bit, lake))
  }
  const wrong = outcomes.filter((outcome) => outcome.wrong.length > 0)
  const met = outcomes.filter(({ refused }) => refused > 0)
  const total = outcomes.reduce((sum, { refused }) => sum + refused, 0)
  console.log(
    `${flips} flips, seed ${seed}: ${met.length} in files that requests needed, ${total} refused, ${wrong.length} with a wrong answer`,
  )
  expect(wrong).toEqual([])
  expect(met.length).toBeGreaterThan(flips / 3)
})
