import { Agent, request } from 'node:http'

/** One connection that is kept open, one request at a time. */
export interface Client {
  /** The body; throws unless the status is 200. */
  get(path: string): Promise<Buffer>
  put(path: string, body: string): Promise<void>
  close(): void
}

export function openClient(address: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  function ask(method: string, path: string, status: number, body = ''): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const sent = request(address + path, { agent, method }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          const received = Buffer.concat(chunks)
          if (response.statusCode === status) resolve(received)
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${received}`))
        })
      })
      sent.once('error', reject)
      sent.end(body)
    })
  }

  return {
    get: (path) => ask('GET', path, 200),
    async put(path, body) {
      await ask('PUT', path, 204, body)
    },
    close: () => agent.destroy(),
  }
}
