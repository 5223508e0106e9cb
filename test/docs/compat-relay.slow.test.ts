import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { relayClient } from '../support/servers/relay-client.ts'
import { relayTour } from '../support/servers/relay-tour.ts'
import { runMain } from '../support/servers/run-main.ts'
import { startServing } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(`${root}docs/guide/compat-relay.md`, 'utf8')
/** How a server is started, how many lines of the client's are shown, and the lines. */
const RUN =
  /serve --lake \.\.\/relay-lake *(.*)\n[\s\S]*?relay-client -- \S+(?: \| head -(\d+))?\n```\n\n```\n([\s\S]*?\n)```/g
const runs = [...page.matchAll(RUN)].map(([, flags = '', lines, shown]) => [flags, lines, shown] as const)

let cwd: string

beforeAll(async () => {
  cwd = await temporaryFolder()
  const { code, stderr } = await runMain(['ingest', `${root}data/sample`, '--lake', 'lake'], { cwd })
  expect([code, stderr]).toEqual([0, ''])
})

describe('the guide for clients of the hosted service', () => {
  it('shows runs with --compat relay, without flags, and with only --network helium', () => {
    expect(runs.map(([flags, lines]) => [flags, lines])).toEqual([
      ['--compat relay', undefined],
      ['', '4'],
      ['--network helium', '6'],
    ])
  })

  it.each(runs)(
    'shows the output of the client against a server started with %j',
    async (flags, lines, shown) => {
      const more = flags === '' ? [] : flags.split(' ')
      const { address, stderr } = await startServing(['--lake', 'lake', '--port', '0', ...more], { cwd })
      const said: string[] = []
      for await (const line of relayTour(relayClient(`${address}/v1`))) said.push(`${line}\n`)
      expect(said).toHaveLength(20)
      const warnings = stderr().match(/(?<="level":"warn",.*"msg":")[^"]*/g) ?? []
      expect(warnings.join()).toBe(
        flags === '--network helium'
          ? '--network helium without --compat relay. Clients of the hosted service read meta.pagination, ' +
              'which replies lack without it; they may stop after the first page and report no error. Pass --compat relay to serve them.'
          : '',
      )
      expect(said.slice(0, lines === undefined ? undefined : Number(lines)).join('')).toBe(shown)
    },
  )
})
