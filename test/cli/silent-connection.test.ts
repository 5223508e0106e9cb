import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { copySmallLake } from '../support/lakes/small-lake.ts'
import { startServing } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('connections that sent nothing, half a request or half a body do not hold up the stop', async () => {
  const folder = await temporaryFolder()
  await copySmallLake(`${folder}/lake`)
  const { address, child, finished } = await startServing(['--lake', 'lake', '--port', '0'], { cwd: folder })
  for (const sent of [
    '',
    'GET / HTTP/1.1\r\nHost: ',
    'POST /graphql HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{',
  ]) {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(sent)
  }
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  child.kill('SIGTERM')
  expect((await finished).code).toBe(0)
})
