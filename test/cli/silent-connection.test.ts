import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { ingestInto } from '../support/build-lake.ts'
import { smallNetwork } from '../support/fixtures.ts'
import { startServing } from '../support/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder = ''
beforeAll(async () => {
  folder = await temporaryFolder()
  await ingestInto(join(folder, 'lake'), [join(smallNetwork, 'l2')])
})

it.each([
  ['asked nothing', ''],
  ['asked half a question', 'GET / HTTP/1.1\r\nHost: '],
  [
    'sent half a query',
    'POST /graphql HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{',
  ],
])('a connection that %s does not hold up the stop', async (_, sent) => {
  const { address, child, finished } = await startServing(['--lake', 'lake', '--port', '0'], { cwd: folder })
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(sent)
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  child.kill('SIGTERM')
  expect((await finished).code).toBe(0)
})
