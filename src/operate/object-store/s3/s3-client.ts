import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { limitBody } from '../limit-body.ts'
import { LEAST_BYTES_PER_S, paceOf, readUntilStalled } from '../read-until-stalled.ts'
import { faultOfS3 } from './s3-faults.ts'

/** Where a bucket is. Credentials and, unless the endpoint has none, the region are found as the AWS tools find them. */
export interface S3Options {
  readonly bucket: string
  /** Address of a store that is not Amazon's, such as `http://127.0.0.1:9000`; empty: Amazon's. */
  readonly endpoint: string
  /** Requests say that whoever asks pays for them. */
  readonly isRequesterPays: boolean
  /** Without a byte for so long a request has failed. */
  readonly silentMs?: number
}

const CONNECT_MS = 10_000
/** A page of a thousand of the longest keys is half as long. */
const MOST_REPLY_BYTES = 16_000_000
/** Patience with a store, unless another one is given. */
export const SILENT_MS = 30_000

/** Sends requests to a bucket. */
export interface S3Connection {
  /** Errors become `StoreFault`; expired credentials are looked up anew by the next request. */
  ask<T>(send: (client: S3Client) => Promise<T>, signal: AbortSignal | undefined): Promise<T>
  close(): void
}

/** Nothing is asked yet. */
export function openS3Connection(options: S3Options): S3Connection {
  let client: Promise<S3Client> | undefined
  return {
    async ask(send, signal) {
      signal?.throwIfAborted()
      client ??= openClient(options)
      try {
        return await send(await client)
      } catch (error) {
        signal?.throwIfAborted()
        const fault = faultOfS3(error, options.bucket)
        if (fault.kind === 'expired') client = undefined
        throw fault
      }
    },
    close() {
      void client?.then((opened) => opened.destroy()).catch(() => {})
    },
  }
}

/** The types of the client have no place for an option that is undefined. */
export const abortable = (signal: AbortSignal | undefined) =>
  signal === undefined ? {} : { abortSignal: signal }

/** How long an upload may take: its reply comes after its last byte, however many there are. */
export const uploadTimeoutMs = (bytes: number, silentMs = SILENT_MS) =>
  silentMs + (bytes / LEAST_BYTES_PER_S) * 1000

/** The MD5 of an object by its ETag; that of what is encrypted with a key of the owner, or was sent in parts, is none. */
export function md5OfEtag(
  etag: string | undefined,
  { ServerSideEncryption = '' }: { readonly ServerSideEncryption?: string | undefined },
): string | undefined {
  return /^[\da-f]{32}$/.test(etag ?? '') && !ServerSideEncryption.startsWith('aws:') ? etag : undefined
}

/** It would write on standard error what the caller is told. */
const silent = { debug() {}, info() {}, warn() {}, error() {} }

async function openClient({ bucket, endpoint, silentMs = SILENT_MS }: S3Options): Promise<S3Client> {
  // It writes of the next versions of Node and of itself on standard error.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const { S3Client } = await import('@aws-sdk/client-s3')
  const client = new S3Client({
    ...(endpoint !== '' && { endpoint, forcePathStyle: true }),
    followRegionRedirects: true,
    // Each request is counted by who asks, and repeated there.
    maxAttempts: 1,
    logger: silent,
    requestHandler: {
      ...{ connectionTimeout: CONNECT_MS, socketTimeout: silentMs },
      ...{ requestTimeout: silentMs, throwOnRequestTimeout: true },
    },
  })
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args)
        boundReply(result.response, commandName, (body) =>
          readUntilStalled(body, paceOf(silentMs), (error) => faultOfS3(error, bucket), undefined),
        )
        return result
      },
    { step: 'deserialize', priority: 'low' },
  )
  return client
}

/** The client holds a reply whole before it reads the XML; bytes of an object go to whoever asked for them. */
function boundReply(
  response: unknown,
  commandName: string | undefined,
  untilStalled: (body: Readable) => AsyncIterable<Uint8Array>,
): void {
  const reply = response as { readonly statusCode: number; body?: unknown }
  if (!(reply.body instanceof Readable) || (commandName === 'GetObjectCommand' && reply.statusCode < 300))
    return
  const { body } = reply
  const bounded = limitBody(untilStalled(body), MOST_REPLY_BYTES, 'where a listing or an error is wanted')
  reply.body = Readable.from(bounded, { objectMode: false }).once('close', () => body.destroy())
}
