import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join, relative } from 'node:path'
import { onLoopback } from '../servers/loopback.ts'

/** What becomes of a request instead of its answer; undefined: it is answered. */
type Fault =
  | ('unavailable' | 'slow down' | 'cut' | 'flipped' | 'expired' | 'denied')
  /** It is carried out, and the reply does not come. */
  | 'lost'
  /** A status with a code and words. */
  | readonly [number, string, string?]
  | undefined

/** A bucket of a server on loopback that lists, sends and stores as S3 does; it ends with the test. */
export interface TestBucket {
  readonly endpoint: string
  readonly bucket: string
  /** Requests so far, such as `list prefix after`, `read key from`, `create key`, `put key` and `remove key`. */
  readonly requests: readonly string[]
  /** Bytes of objects that were sent. */
  sent(): number
  /** Asked before each request. */
  faults: (request: string) => Fault
  put(key: string, body: Uint8Array): void
  /** Every file below a folder, under its path there. */
  putAll(folder: string, prefix?: string): readonly string[]
  remove(key: string): void
  keys(): readonly string[]
  /** When objects seem to have been stored, milliseconds since 1970. */
  storedAt: number
  /** Writes and removals without `Content-MD5` are refused. */
  demandsMd5: boolean
  /** `If-None-Match` of a write has no effect. */
  ignoresCondition: boolean
}

/** What the client finds in the environment. */
export const awsEnvironment = {
  ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-west-2' },
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
}

const bucket = 'network-files'

const statuses = {
  unavailable: [503, 'ServiceUnavailable'],
  'slow down': [503, 'SlowDown'],
  expired: [400, 'ExpiredToken'],
  denied: [403, 'AccessDenied'],
} as const

/** Starts an empty bucket whose listings have so many keys a page. */
export async function openTestBucket({ pageKeys = 1000, isRequesterPays = true } = {}): Promise<TestBucket> {
  const objects = new Map<string, Uint8Array>()
  const requests: string[] = []
  let sent = 0
  const test = {
    bucket,
    endpoint: '',
    requests,
    sent: () => sent,
    faults: (_: string): Fault => undefined,
    put: (key: string, body: Uint8Array) => void objects.set(key, body),
    putAll(folder: string, prefix = '') {
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
      const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
      for (const path of paths) objects.set(prefix + relative(folder, path), readFileSync(path))
      return paths.map((path) => prefix + relative(folder, path)).sort()
    },
    remove: (key: string) => void objects.delete(key),
    keys: () => [...objects.keys()].sort(),
    storedAt: Date.now(),
    demandsMd5: false,
    ignoresCondition: false,
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '', test.endpoint)
    const key = decodeURIComponent(pathname).slice(bucket.length + 2)
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const after = searchParams.get('continuation-token') ?? searchParams.get('start-after') ?? ''
    const prefix = searchParams.get('prefix') ?? ''
    if (request.method === 'HEAD') {
      head(key, response)
      return
    }
    if (request.method !== 'GET') {
      void write(request, key, response)
      return
    }
    const words = key === '' ? `list ${prefix} ${after}` : `read ${key} ${from}`
    const fault = test.faults(words)
    requests.push(words)
    if (isRefusal(fault)) refuse(response, ...refusalOf(fault))
    else if (isRequesterPays && request.headers['x-amz-request-payer'] !== 'requester')
      refuse(response, 403, 'AccessDenied')
    else if (key === '') send(response, list(prefix, after, searchParams.get('delimiter') ?? undefined))
    else read(key, from, request.headers, response, fault)
  }

  function head(key: string, response: ServerResponse): void {
    const fault = test.faults(`head ${key}`)
    requests.push(`head ${key}`)
    const body = objects.get(key)
    if (isRefusal(fault)) response.writeHead(refusalOf(fault)[0]).end()
    else if (body === undefined) response.writeHead(404).end()
    else response.writeHead(200, { ETag: `"${etagOf(body)}"`, 'Content-Length': body.length }).end()
  }

  function list(prefix: string, after: string, delimiter: string | undefined): string {
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort()
    const items = new Set<string>()
    for (const key of keys) {
      const end = delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length)
      const item = end < 0 ? key : key.slice(0, end + 1)
      if (item > after && !after.startsWith(end < 0 ? '\0' : item)) items.add(item)
    }
    const page = [...items].slice(0, pageKeys)
    const isCut = items.size > page.length
    const entries = page.map((item) => {
      const body = objects.get(item)
      if (body === undefined) return `<CommonPrefixes><Prefix>${item}</Prefix></CommonPrefixes>`
      return `<Contents><Key>${item}</Key><Size>${body.length}</Size><ETag>"${etagOf(body)}"</ETag><LastModified>${new Date(test.storedAt).toISOString()}</LastModified></Contents>`
    })
    const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`
  }

  function read(
    key: string,
    from: number,
    { 'if-match': match, 'if-none-match': unless }: IncomingMessage['headers'],
    to: ServerResponse,
    fault: Fault,
  ): void {
    const body = objects.get(key)
    const etag = `"${etagOf(body ?? new Uint8Array())}"`
    if (body === undefined) {
      refuse(to, 404, 'NoSuchKey')
      return
    }
    if (match !== undefined && match !== etag) {
      refuse(to, 412, 'PreconditionFailed')
      return
    }
    if (unless === etag) {
      to.writeHead(304).end()
      return
    }
    const rest = Buffer.from(body.subarray(from))
    to.writeHead(from > 0 ? 206 : 200, { ETag: etag, 'Content-Length': rest.length })
    if (fault === 'cut') {
      const half = rest.subarray(0, rest.length >> 1)
      sent += half.length
      to.write(half, () => setTimeout(() => to.destroy(), 20))
      return
    }
    if (fault === 'flipped') rest.writeUInt8(rest.readUInt8(rest.length >> 1) ^ 1, rest.length >> 1)
    sent += rest.length
    to.end(rest)
  }

  async function write(request: IncomingMessage, key: string, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { 'if-none-match': unless, 'x-amz-checksum-sha256': checksum } = request.headers
    const gone = [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, own = '']) => own)
    const isRemoval = key === '' || request.method === 'DELETE'
    const words = isRemoval
      ? `remove ${key}${gone.join(' ')}`
      : `${unless === undefined ? 'put' : 'create'} ${key}`
    const fault = test.faults(words)
    requests.push(words)
    if (isRefusal(fault)) {
      refuse(response, ...refusalOf(fault))
      return
    }
    const md5 = createHash('md5').update(body).digest('base64')
    if (test.demandsMd5 && request.method !== 'DELETE' && request.headers['content-md5'] !== md5) {
      refuse(response, 400, 'InvalidRequest', 'Missing required header for this request: Content-MD5')
      return
    }
    if (isRemoval) for (const own of [key, ...gone]) objects.delete(own)
    else if (checksum !== createHash('sha256').update(body).digest('base64')) {
      refuse(response, 400, 'BadDigest')
      return
    } else if (unless === '*' && objects.has(key) && !test.ignoresCondition) {
      refuse(response, 412, 'PreconditionFailed')
      return
    } else objects.set(key, body)
    if (fault === 'lost') response.destroy()
    else send(response, key === '' ? '<DeleteResult></DeleteResult>' : '')
  }

  test.endpoint = (await onLoopback(createServer(answer))).origin
  return test
}

function etagOf(body: Uint8Array): string {
  return createHash('md5').update(body).digest('hex')
}

function send(response: ServerResponse, xml: string): void {
  response.writeHead(200, { 'Content-Type': 'application/xml' }).end(`<?xml version="1.0"?>\n${xml}`)
}

type Refusal = keyof typeof statuses | readonly [number, string, string?]

function isRefusal(fault: Fault): fault is Refusal {
  return typeof fault === 'object' || (fault !== undefined && fault in statuses)
}

function refusalOf(fault: Refusal): readonly [number, string, string?] {
  return typeof fault === 'object' ? fault : statuses[fault]
}

function refuse(response: ServerResponse, status: number, code: string, words = code): void {
  const body = `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>${words}</Message></Error>`
  response.writeHead(status, { 'Content-Type': 'application/xml' }).end(body)
}
