import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanUp } from '../clean-up.ts'

/** Lets a server listen on a free port of loopback, until the test is over or `close` is called. */
export async function onLoopback(server: Server): Promise<{ origin: string; close: () => Promise<void> }> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    if (server.listening) await once(server.close(), 'close')
  }
  cleanUp(() => void close())
  const scheme = 'setSecureContext' in server ? 'https' : 'http'
  return { origin: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
