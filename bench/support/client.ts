import { Agent, request } from 'node:http'

/** One connection that is kept open, one request at a time. */
export interface Client {
  /** The body; throws unless the status is 200. */
  get(path: string): Promise<Buffer>
  put(path: string, body: string): Promise<void>
  post(path: string, json: string): Promise<Buffer>
  /** Asks a GraphQL query; the body, unless the status is another than 200. */
  query(text: string): Promise<Buffer>
  close(): void
}

export function openClient(address: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  function ask(method: string, path: string, status: number, body = ''): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const sent = request(address + path, { agent, method, headers }, (response) => {
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

  const post = (path: string, json: string) => ask('POST', path, 200, json)
  return {
    post,
    query: (text) => post('/graphql', JSON.stringify({ query: text })),
    get: (path) => ask('GET', path, 200),
    async put(path, body) {
      await ask('PUT', path, 204, body)
    },
    close: () => agent.destroy(),
  }
}
