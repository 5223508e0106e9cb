import { iotWitnessIngestReports } from '../../../catalog/l2/iot-witness-ingest-reports.ts'
import { rewardManifests } from '../../../catalog/l2/reward-manifests.ts'
import { networkIds } from '../../../catalog/networks.ts'
import { resourceNamed, rewardShares } from '../../../catalog/resources.ts'
import { iotWitnessIngestReportFields } from '../../wire/messages/iot-witness-ingest-report.ts'
import { networkMessages } from '../../wire/messages/network-messages.ts'
import type { KindReader } from '../../wire/row-decoder.ts'
import type { ArtifactKind } from '../files/artifact.ts'
import { openRecordReader } from '../records/record-reader.ts'
import { openManifestReader, openMessageReader, openShareReader } from './message-reader.ts'

const shareReaders = networkIds.map((id) => {
  const shares = rewardShares[id]
  return [shares.arrival.kind, () => openShareReader(shares, networkMessages[id].share)] as const
})

const messageReaders: Readonly<Record<ArtifactKind, () => KindReader>> = {
  [rewardManifests.arrival.kind]: openManifestReader,
  ...Object.fromEntries(shareReaders),
  [iotWitnessIngestReports.arrival.kind]: () =>
    openMessageReader(iotWitnessIngestReports, iotWitnessIngestReportFields),
}

export function openKindReader(kind: ArtifactKind): KindReader {
  const read = messageReaders[kind]
  if (read !== undefined) return read()
  const resource = resourceNamed(kind)
  if (resource === undefined) throw new Error(`no table arrives as ${kind}`)
  return openRecordReader(resource)
}

export type Noun = 'message' | 'record'

/** Returns `record` for kinds with the name of a table, otherwise `message`. */
export function nounOf(kind: string): Noun {
  return resourceNamed(kind) === undefined ? 'message' : 'record'
}

/** Returns true if the table of a kind holds current state instead of events. */
export function isStateKind(kind: ArtifactKind): boolean {
  return resourceNamed(kind)?.holds === 'state'
}
