import { expect, it } from 'vitest'
import { openOffloadedBytes } from '../../../src/answers/offload/offloaded-bytes.ts'
import { manifestReader } from '../../../src/answers/records/manifests.ts'
import { openRepository } from '../../../src/answers/repository.ts'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import type { Row } from '../../../src/catalog/resource.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { openKeyIndex } from '../../../src/index/keyed/key-index.ts'
import { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { openMemoryEngine } from '../../support/contract/memory-engine.ts'
import { noBlocks } from '../../support/lakes/no-blocks.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** An engine whose statements end only when they are let go, or when their caller is gone. */
function slowEngine(): { engine: Engine; statements: () => number; letGo: () => void } {
  const waiting: (() => void)[] = []
  let statements = 0
  const engine: Engine = {
    ...openMemoryEngine(() => []),
    rows: (_plan, _at, signal) =>
      new Promise<readonly Row[]>((resolve, reject) => {
        statements += 1
        waiting.push(() => resolve([]))
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  }
  return {
    engine,
    statements: () => statements,
    letGo: () => {
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

async function repositoryOf(engine: Engine) {
  const manifests = manifestReader(engine)
  return openRepository({
    engine,
    manifests,
    offloaded: openOffloadedBytes(engine, manifests, await temporaryFolder()),
    blocks: noBlocks,
    index: openKeyIndex('', openTestWriter),
  })
}

const firstPage = { page: 1, perPage: 25 }
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('a client that disconnects while manifests are read does not abort other clients waiting for them', async () => {
  const { engine, letGo } = slowEngine()
  const repository = await repositoryOf(engine)
  const at = new Snapshot([])
  const leaving = new AbortController()
  const first = repository.list(iotRewardShares, {}, firstPage, at).read(leaving.signal)
  const second = repository.list(iotRewardShares, {}, firstPage, at).read(new AbortController().signal)
  const outcomes = Promise.allSettled([first, second])
  await turn()
  leaving.abort(new Error('gone'))
  await turn()
  letGo()
  await turn()
  letGo()
  const [, stayed] = await outcomes
  expect(stayed).toMatchObject({ status: 'fulfilled', value: { records: [] } })
})

it('simultaneous requests read the manifests of a version once', async () => {
  const { engine, statements, letGo } = slowEngine()
  const repository = await repositoryOf(engine)
  const at = new Snapshot([])
  const pages = [1, 2, 3].map((page) =>
    repository.list(iotRewardShares, {}, { page, perPage: 25 }, at).read(),
  )
  await turn()
  letGo()
  await Promise.all(pages)
  await repository.list(iotRewardShares, {}, firstPage, at).read()
  expect(statements()).toBe(1)
})
