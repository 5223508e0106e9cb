import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderSize } from '../../../src/doors/monitoring/measures/state-size.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

it('the bytes of the state folder are a metric from the first request for metrics', async () => {
  const lake = await temporaryFolder()
  const state = join(await temporaryFolder(), 'state')
  mkdirSync(join(state, 'below'), { recursive: true })
  writeFileSync(join(state, 'one'), Buffer.alloc(1000))
  writeFileSync(join(state, 'below', 'two'), Buffer.alloc(234))
  const { server } = await buildTestServer(lake, 60_000, undefined, { stateFolder: state })
  const { body } = await server.inject({ url: '/metrics' })
  expect(body).toContain('\nledgerlake_state_bytes 1234\n')
})

it('a folder is measured at most twice a minute, and an unreadable one has no size', async () => {
  let [time, looks] = [0, 0]
  const size = folderSize(
    'state',
    async () => {
      looks += 1
      if (looks === 3) throw new Error('EACCES')
      return looks * 100
    },
    () => time,
  )
  const seen: (number | undefined)[] = []
  for (time of [0, 1, 29_999, 30_000, 59_999, 60_000, 90_000]) seen.push(await size())
  expect(seen).toEqual([100, 100, 100, 200, 200, undefined, 400])
})
