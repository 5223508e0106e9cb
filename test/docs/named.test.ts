import { readdirSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { longChecks } from '../../scripts/long.mjs'
import { buildProgram } from '../../src/cli/program/program.ts'
import { environmentName, settingRows } from '../../src/services/settings/settings.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { type Documented, operationsIn } from '../support/servers/documented.ts'
import { some } from '../support/some.ts'

/** Commands, flags, variables, scripts and addresses that pages for readers name, in blocks and in sentences. */

const pages = ['README.md', ...readdirSync('docs/guide').map((name) => `docs/guide/${name}`)].map(
  (path) => [path, readFileSync(path, 'utf8').replace(/\\\n\s*/g, ' ')] as const,
)

const program = buildProgram()

/** Flags of other programs that pages name alone, by whose they are. */
const otherFlags: Readonly<Record<string, readonly string[]>> = {
  'npm run conformance': ['--level', '--key', '--plain-key', '--chapter', '--graphql', '--timeout'],
  'npm run relay-client': ['--key'],
  'npm run test:long -- sync': ['--moto'],
}
/** Variables that are no settings: secrets, and those of a client's own. */
const otherVariables = ['LEDGERLAKE_SYNC_KEY', 'LEDGERLAKE_TRINO_PASSWORD', 'LEDGERLAKE_KEY']

/** Parameters that pages give on purpose although there is none, to show the error. */
const mistakes = ['docs/guide/clients.md: hotspot', 'docs/guide/migrating.md: network']

/** Every command with its words. */
function commandsBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsBelow)]
}
const flagsOf = (command: Command) => command.options.flatMap(({ long, short }) => [long, short])
const everyFlag = new Set([
  ...commandsBelow(program).flatMap(flagsOf),
  ...Object.values(otherFlags).flat(),
  ...['--help', '-h'],
])

/** What is wrong with the words behind `ledgerlake`; nothing where they are none of a command. */
function faultOf(words: readonly string[]): string | undefined {
  let command = program
  const known = new Set([...flagsOf(program), '--help', '-h'])
  for (const word of words) {
    const below = command.commands.find((one) => one.name() === word)
    if (below === undefined) break
    command = below
    for (const flag of flagsOf(command)) known.add(flag)
  }
  if (command === program && /^[a-z]/.test(words[0] ?? '')) return `no command ${words[0]}`
  const unknown = words.find((word) => /^--[a-z]/.test(word) && !known.has(word.replace(/=.*/, '')))
  return unknown === undefined ? undefined : `${command.name()} has no ${unknown}`
}

const spansOf = (text: string) => [
  ...[...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n')),
  ...[...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span),
]

const commandsIn = (spans: readonly string[]) =>
  spans.flatMap((span) =>
    [...span.matchAll(/(?:^(?:\$ )?|bin\/|[=(&] ?|sudo -u ledgerlake )ledgerlake ([^|;&>#()]+)/g)].map(
      ([, words = '']) =>
        words
          .trim()
          .replaceAll(/"[^"]*"|'[^']*'/g, 'TEXT')
          .split(/\s+/),
    ),
  )

describe.each(pages)('%s', (_, text) => {
  const spans = spansOf(text)

  it('names only existing commands and flags', () => {
    const commands = commandsIn(spans)
    expect(commands.flatMap((words) => faultOf(words) ?? [])).toEqual([])
    const alone = spans.flatMap((span) => /^(--[a-z][a-z-]*)/.exec(span)?.[1] ?? [])
    expect(alone.filter((flag) => !everyFlag.has(flag))).toEqual([])
  })

  it('names only existing variables and scripts', () => {
    const variables = [...settingRows.map(({ name }) => environmentName(name)), ...otherVariables]
    const named = [...text.matchAll(/\bLEDGERLAKE_[A-Z_]+\b/g)].map(([name]) => name)
    expect(named.filter((name) => !variables.includes(name))).toEqual([])
    const scripts = [...text.matchAll(/\bnpm run (?:-s )?([a-z:-]+)/g)].map(([, name = '']) => name)
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([])
    const checks = [...text.matchAll(/\bnpm run test:long -- ([a-z-]+)/g)].map(([, name = '']) => name)
    expect(checks.filter((name) => !longChecks.has(name))).toEqual([])
  })
})

it('CONTRIBUTING.md lists every long check', () => {
  const lines = readFileSync('CONTRIBUTING.md', 'utf8').split('| `npm run test:long --` | |')[1] ?? ''
  const listed = [...lines.matchAll(/^\| `([a-z-]+)[^|]*\|/gm)].map(([, name = '']) => name)
  expect(listed.sort()).toEqual([...longChecks.keys()].sort())
})

describe('every address in the pages', () => {
  let document: Documented
  beforeAll(async () => {
    const { server } = await buildTestServer(await smallLake())
    document = JSON.parse((await server.inject('/openapi.json')).body)
  })

  it('is an operation with the named parameters', () => {
    const operations = operationsIn(document).filter(({ method }) => method === 'get')
    const wrong: string[] = []
    let count = 0
    for (const [page, text] of pages)
      for (const [, path = '', query = ''] of text.matchAll(
        /(\/v1\/net\/[a-z\d/-]+[a-z\d])(?:\?([\w=&%.:,$-]+))?/g,
      )) {
        count += 1
        const pattern = (template: string) => new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
        const own =
          operations.find((one) => one.path === path) ??
          operations.find((one) => pattern(one.path).test(path))
        const isPrefix = operations.some((one) => one.path.startsWith(`${path}/`))
        if (own === undefined && !isPrefix) wrong.push(`${page}: ${path}`)
        // A list as a file is described at an address of its own.
        const file = operations.find((one) => one.path === path.replace('/net/', '/net/files/'))
        const parameters =
          own && [own, file].flatMap((one) => one?.operation.parameters ?? []).map(({ name }) => name)
        const names = query.split('&').flatMap((pair) => /^[a-z_]+(?==)/.exec(pair)?.[0] ?? [])
        for (const name of names)
          if (parameters?.includes(name) === false && !mistakes.includes(`${page}: ${name}`))
            wrong.push(`${page}: ${path}?${name}`)
      }
    expect(count).toBeGreaterThan(30)
    expect(wrong).toEqual([])
  })
})

it('the check finds an unknown command, flag and subcommand', () => {
  const faults = ['serv --lake x', 'serve --lak x', 'sync lake --url x --budget 1', 'serve --lake x'].map(
    (line) => faultOf(line.split(' ')),
  )
  expect(pages.flatMap(([, text]) => commandsIn(spansOf(text))).length).toBeGreaterThan(150)
  expect(some(faults)).toEqual(['no command serv', 'serve has no --lak', undefined, undefined])
})
