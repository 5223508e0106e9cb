import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { frameFile, operational } from '../../support/messages/oracle-messages.ts'
import { startServing } from '../../support/servers/run-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { openFakeTrino } from '../../support/trino/fake-trino.ts'

it('a server on Trino builds its missing index by hotspot after a while without commits', async () => {
  const cwd = await temporaryFolder()
  mkdirSync(join(cwd, 'in'))
  const many = Array.from({ length: 10_000 }, (_, place) => operational(place))
  writeFileSync(join(cwd, 'in', 'iot_reward_share.1738369800559.gz'), frameFile(many))
  await ingestInto(join(cwd, 'lake'), [join(cwd, 'in')])
  const { server } = await openFakeTrino(() => [{ columns: [{ name: 'one' }], data: [[1]] }])
  const asked = ['--engine', 'trino', '--trino-server', server, '--trino-session', 'retry_policy=QUERY,a=1']
  const { stderr } = await startServing(['--lake', 'lake', '--port', '0', ...asked], { cwd })
  await expect.poll(() => existsSync(join(cwd, 'lake', '_state', 'by-key'))).toBe(true)
  expect(stderr()).not.toContain('needs an address')
})
