import type { AddressInfo } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
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

/**
 * Lines printed when the server listens: its addresses, and example requests if the lake is readable. `interfaces` are
 * those of this machine.
 */
export function firstLines(
  settings: Settings,
  listening: Listening,
  interfaces = networkInterfaces(),
): readonly string[] {
  try {
    return withHints(settings, listening, interfaces)
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

/** Interfaces of containers, virtual machines and tunnels. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|utun|tun|tap)/

/** Addresses for other machines: the public URL, or each address of this machine in its networks, or its name. */
function addressesElsewhere(
  { public_url: { origin, basePath } }: Settings,
  { scheme, address: { port } }: Listening,
  interfaces: ReturnType<typeof networkInterfaces>,
): readonly string[] {
  if (origin !== '') return [`${origin}${basePath}/`]
  const addresses = Object.entries(interfaces)
    .filter(([name]) => !VIRTUAL.test(name))
    .flatMap(([, list = []]) => list)
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)
  const hosts = addresses.length === 0 ? [hostname()] : addresses
  return hosts.map((host) => `${scheme}://${host}:${port}/`)
}

function withHints(
  settings: Settings,
  listening: Listening,
  interfaces: ReturnType<typeof networkInterfaces>,
): readonly string[] {
  const { isLocked, current, queries } = listening
  const address = addressOf(settings, listening)
  const outside = (settings.public_url.origin || address) + settings.public_url.basePath
  const { url = '' } = readOriginMark(settings.lake) ?? {}
  const lake = isInBucket(url) ? url : settings.lake
  const first = `ledgerlake serves ${lake} at ${address}/`
  const everywhere =
    localHosts[settings.host] === undefined
      ? []
      : [
          'On other devices of this network, open:',
          ...addressesElsewhere(settings, listening, interfaces).map((one) => `  ${one}`),
        ]
  const lines = [first, ...everywhere, ...postgresLines(settings, isLocked)]
  if (current === undefined) return [...lines, emptyLine(settings, lake)]
  const examples = examplesOf(`/v1/${settings.network}`, current, queries).filter(
    (example) => example.isAnswered,
  )
  if (examples.length === 0) return lines
  const withKey = isLocked ? '-H "Authorization: Bearer $KEY" ' : ''
  return [
    ...lines,
    `Open ${everywhere.length === 0 ? 'that address' : 'one of them'} in a browser, or ask${isLocked ? ' with one of its keys' : ''}:`,
    ...pickExamples(examples).map((example) => `  curl ${withKey}"${outside}${example.address}"`),
  ]
}

/** The command that asks by the protocol of PostgreSQL. A port of 0 is not known here. */
function postgresLines({ postgres }: Settings, isLocked: boolean): readonly string[] {
  if (postgres === null || postgres.port === 0) return []
  const host = localHosts[postgres.host] ?? postgres.host
  const user = isLocked ? 'PGPASSWORD=$KEY psql -U NAME' : 'psql'
  const key = isLocked ? ', with the name of a key and the key' : ''
  return [`It answers SQL as PostgreSQL does${key}:`, `  ${user} -h ${host} -p ${postgres.port} ledgerlake`]
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
