import { expect, it } from 'vitest'
import { openKindReader } from '../../../src/write/ingest/decode/kinds.ts'
import { openRowSink } from '../../../src/write/ingest/decode/row-sink.ts'
import { encodeRewardManifest } from '../../../src/write/sample/encoding/encode-manifest.ts'
import { epochsOf } from '../../../src/write/sample/epochs.ts'
import { manifestOf } from '../../../src/write/sample/manifests.ts'
import { openProtobufReader } from '../../../src/write/wire/reader.ts'

it('the network of a manifest comes from its own file, also if files are decoded in parallel', () => {
  const [epoch] = epochsOf({ days: 1, hotspots: 1, seed: 1 })
  if (epoch === undefined) throw new Error('no epoch')
  const reader = openKindReader('reward_manifest')
  const stage = { rows: 0, append() {}, write: async () => {}, drop: async () => {} }
  const networks = ['iot', 'mobile'] as const
  const sinks = networks.map((_, index) => openRowSink(reader, index, stage))
  expect(sinks.map((sink) => sink.network)).toEqual([undefined, undefined])
  for (const [index, network] of networks.entries()) {
    const message = encodeRewardManifest(manifestOf(epoch, network, {}, []))
    const origin = { kind: 'reward_manifest', network: undefined }
    sinks[index]?.take(openProtobufReader(message), message.length, 0n, origin)
  }
  expect(sinks.map((sink) => sink.network)).toEqual(['iot', 'mobile'])
})
