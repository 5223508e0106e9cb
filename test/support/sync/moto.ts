import { freePort } from '../../../bench/support/free-port.ts'
import { bringPython } from '../bring.ts'
import { startBrought } from '../start-brought.ts'

const MOTO = '5.2.5'
/** Listings have so many keys a page, so that a thousand objects take several. */
const PAGE_KEYS = '60'

/** A running server with one bucket. */
export interface S3Server {
  readonly endpoint: string
  readonly bucket: string
  put(key: string, body: Uint8Array): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts an S3 server of other people, moto, on a free port, with an empty bucket; it keeps its objects in memory. The program is
 * the one given, or comes from PyPI once; 250 MB.
 */
export async function startMoto(
  program: string | undefined,
  log: string,
  bucket: string,
  say: (line: string) => void,
): Promise<S3Server> {
  if (program === undefined) say(`moto ${MOTO} comes from PyPI`)
  const command = program
    ? [program]
    : [await bringPython('moto', 'moto', [`moto[server]==${MOTO}`]), '-m', 'moto.server']
  const port = String(await freePort())
  const env = { MOTO_S3_DEFAULT_MAX_KEYS: PAGE_KEYS }
  const server = await startBrought([...command, '-H', '127.0.0.1', '-p', port], { log, env })
  const endpoint = `http://127.0.0.1:${port}`
  await server.ready(async () => (await fetch(`${endpoint}/moto-api/`)).ok, 60_000)
  await put(`${endpoint}/${bucket}`, new Uint8Array())
  return {
    ...{ endpoint, bucket, stop: () => server.stop() },
    put: (key, body) => put(`${endpoint}/${bucket}/${key}`, body),
  }
}

async function put(url: string, body: Uint8Array): Promise<void> {
  const headers = { Authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request' }
  const reply = await fetch(url, { method: 'PUT', body: Buffer.from(body), headers })
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`)
  await reply.arrayBuffer()
}
