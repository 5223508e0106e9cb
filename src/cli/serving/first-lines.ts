import type { AddressInfo } from 'node:net'
import { noteFailure } from '../../base/background.ts'
import type { QueryDialect } from '../../doors/contract/query-schema.ts'
import { type Example, examplesOf } from '../../doors/examples.ts'
import { readOriginMark } from '../../lake/disk/origin-mark.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { isInBucket } from '../../services/settings/bucket-settings.ts'
import type { Settings } from '../../services/settings/settings.ts'

interface Listening {
  readonly scheme: 'http' | 'https'
  readonly address: AddressInfo
  /** True if requests need a key. */
  readonly isLocked: boolean
  readonly current: Snapshot | undefined
  readonly queries: QueryDialect
}

/** Lines printed when the server listens: its address, and example requests if the lake is readable. */
export function firstLines(settings: Settings, listening: Listening): readonly string[] {
  try {
    return withHints(settings, listening)
  } catch (error) {
    noteFailure('making the first lines', error)
    return [`ledgerlake serves ${settings.lake} at ${addressOf(settings, listening)}/`]
  }
}

/** Maps a wildcard host to the address at which this machine reaches it. */
const localHosts: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function addressOf({ host }: Settings, { scheme, address: { port } }: Listening): string {
  const reachable = localHosts[host] ?? host
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

function withHints(settings: Settings, listening: Listening): readonly string[] {
  const { isLocked, current, queries } = listening
  const address = addressOf(settings, listening)
  const outside = (settings.public_url.origin || address) + settings.public_url.basePath
  const { url = '' } = readOriginMark(settings.lake) ?? {}
  const lake = isInBucket(url) ? url : settings.lake
  const first = `ledgerlake serves ${lake} at ${address}/`
  if (current === undefined) return [first, emptyLine(settings, lake)]
  const examples = examplesOf(`/v1/${settings.network}`, current, queries).filter(
    (example) => example.isAnswered,
  )
  const everywhere =
    localHosts[settings.host] === undefined
      ? []
      : [`Other machines use an address of this one, port ${listening.address.port}.`]
  if (examples.length === 0) return [first, ...everywhere]
  const withKey = isLocked ? '-H "Authorization: Bearer $KEY" ' : ''
  return [
    first,
    ...everywhere,
    `Open that address in a browser, or ask${isLocked ? ' with one of its keys' : ''}:`,
    ...pickExamples(examples).map((example) => `  curl ${withKey}"${outside}${example.address}"`),
  ]
}

/** Says how an empty lake is filled: by the first sync of its sources, or by a command. */
function emptyLine({ sync }: Settings, lake: string): string {
  if (sync.length === 0) return `It is empty and waits for: ledgerlake ingest PATH... --lake ${lake}`
  const sources = sync.map(([source = '']) => source).join(', ')
  return `It is empty and waits for its sources: ${sources}; ledgerlake status --lake ${lake} shows how far they are.`
}

/** Returns the first three examples, and one of the L1 ledger. */
function pickExamples(examples: readonly Example[]): readonly Example[] {
  const ledger = examples.find(({ path }) => path.includes('/l1/'))
  return [...new Set([...examples.slice(0, 3), ...(ledger === undefined ? [] : [ledger])])]
}
