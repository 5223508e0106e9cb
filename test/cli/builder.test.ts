import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { builderWords } from '../../src/cli/building/builder-process.ts'
import { readSettings } from '../../src/services/settings/settings.ts'
import { makeLake } from '../support/lakes/make-lake.ts'
import { operational } from '../support/messages/oracle-messages.ts'
import { runProgram } from '../support/servers/run-program.ts'
import { openFakeTrino } from '../support/trino/fake-trino.ts'

it('a server on Trino builds its missing indexes by a command with its own settings', async () => {
  // Smaller tables get no index.
  const many = Array.from({ length: 10_000 }, (_, place) => operational(place))
  const { folder: lake } = await makeLake({ 'iot/iot_reward_share.1738369800559.gz': many })
  const { server } = await openFakeTrino(() => [{ columns: [{ name: 'one' }], data: [[1]] }])
  const asked = { engine: 'trino', trino_server: server, trino_session: 'retry_policy=QUERY,a=1' }
  const words = builderWords(readSettings({}, { lake, ...asked }))
  expect(await runProgram(words, { cwd: lake })).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(existsSync(join(lake, '_state', 'by-key'))).toBe(true)
})
