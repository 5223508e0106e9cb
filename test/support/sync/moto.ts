import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../../bench/support/free-port.ts'
import { bringPython } from '../bring.ts'

/** An S3 server of other people: moto, from PyPI. It keeps its objects in memory. */

const MOTO = '5.2.5'
/** Listings have so many keys a page, so that a thousand objects take several. */
const PAGE_KEYS = '60'
const LONGEST_START_MS = 60_000

/** A running server with one bucket. */
export interface S3Server {
  readonly endpoint: string
  readonly bucket: string
  put(key: string, body: Uint8Array): Promise<void>
  stop(): Promise<void>
}

/** Brings moto into a Python environment of its own, once; 250 MB. Gives the command that starts it. */
export async function fetchMoto(say: (line: string) => void = () => {}): Promise<readonly string[]> {
  say(`moto ${MOTO} comes from PyPI`)
  return [await bringPython('moto', 'moto', [`moto[server]==${MOTO}`]), '-m', 'moto.server']
}

/** Starts the server on a free port of loopback, with an empty bucket; what it says goes to the log. */
export async function startMoto(
  [program = '', ...words]: readonly string[],
  logPath: string,
  bucket: string,
): Promise<S3Server> {
  const port = await freePort()
  const log = await open(logPath, 'w')
  const child = spawn(program, [...words, '-H', '127.0.0.1', '-p', String(port)], {
    env: { ...process.env, MOTO_S3_DEFAULT_MAX_KEYS: PAGE_KEYS },
    stdio: ['ignore', log.fd, log.fd],
  })
  await once(child, 'spawn')
  await log.close()
  const kill = () => child.kill('SIGKILL')
  process.prependOnceListener('exit', kill)
  const endpoint = `http://127.0.0.1:${port}`
  await isReady(endpoint, child, logPath)
  await put(`${endpoint}/${bucket}`, new Uint8Array())
  return {
    endpoint,
    bucket,
    put: (key, body) => put(`${endpoint}/${bucket}/${key}`, body),
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      process.off('exit', kill)
    },
  }
}

async function put(url: string, body: Uint8Array): Promise<void> {
  const headers = { Authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request' }
  const reply = await fetch(url, { method: 'PUT', body: Buffer.from(body), headers })
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`)
  await reply.arrayBuffer()
}

async function isReady(endpoint: string, child: ChildProcess, log: string): Promise<void> {
  const end = performance.now() + LONGEST_START_MS
  while (performance.now() < end && child.exitCode === null) {
    const reply = await fetch(`${endpoint}/moto-api/`).catch(() => undefined)
    await reply?.arrayBuffer()
    if (reply !== undefined) return
    await setTimeout(100)
  }
  child.kill('SIGKILL')
  throw new Error(`moto does not answer; it has written ${log}`)
}
