import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { isMembers } from '../../../lake/log/log-actions.ts'
import { limitBody } from '../limit-body.ts'
import { LEAST_BYTES_PER_S, paceOf, readUntilStalled } from '../read-until-stalled.ts'
import { faultOfS3 } from './s3-faults.ts'

/** A bucket and its endpoint. Credentials and region are resolved as by the AWS tools. */
export interface S3Options {
  readonly bucket: string
  /** Endpoint such as `http://127.0.0.1:9000`; empty for Amazon S3. */
  readonly endpoint: string
  /** Sends `x-amz-request-payer`. */
  readonly isRequesterPays: boolean
  /** Timeout without a byte. */
  readonly silentMs?: number
}

const CONNECT_MS = 10_000
/** Largest reply in memory: twice a page of a thousand longest keys. */
const MOST_REPLY_BYTES = 16_000_000
/** Default timeout without a byte. */
export const SILENT_MS = 30_000

/** Sends requests to a bucket. */
export interface S3Connection {
  /** Errors are converted to `StoreFault`; the next request renews expired credentials. */
  ask<T>(send: (client: S3Client) => Promise<T>, signal: AbortSignal | undefined): Promise<T>
  close(): void
}

/** Creates a connection; sends no request. */
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

/** The client types do not accept an undefined option. */
export const abortable = (signal: AbortSignal | undefined) =>
  signal === undefined ? {} : { abortSignal: signal }

/** Returns the timeout of an upload, whose reply follows its last byte. */
export const uploadTimeoutMs = (bytes: number, silentMs = SILENT_MS) =>
  silentMs + (bytes / LEAST_BYTES_PER_S) * 1000

/** Returns the MD5 that an ETag has; undefined for objects with a customer key or sent in parts. */
export function md5OfEtag(
  etag: string | undefined,
  { ServerSideEncryption = '' }: { readonly ServerSideEncryption?: string | undefined },
): string | undefined {
  return /^[\da-f]{32}$/.test(etag ?? '') && !ServerSideEncryption.startsWith('aws:') ? etag : undefined
}

/** Returns the body of a reply; empty if it has none. */
export const streamOf = ({ Body }: { readonly Body?: unknown }): Readable =>
  Body instanceof Readable ? Body : Readable.from([])

/** Keeps the client from writing to standard error. */
const silent = { debug() {}, info() {}, warn() {}, error() {} }

async function openClient({ bucket, endpoint, silentMs = SILENT_MS }: S3Options): Promise<S3Client> {
  // Keeps the SDK from warning about versions on standard error.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const { S3Client } = await import('@aws-sdk/client-s3')
  const client = new S3Client({
    ...(endpoint !== '' && { endpoint, forcePathStyle: true }),
    followRegionRedirects: true,
    // Callers count and retry requests.
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

/** Limits replies that the client buffers; bodies of objects are streamed. */
function boundReply(
  response: unknown,
  commandName: string | undefined,
  untilStalled: (body: Readable) => AsyncIterable<Uint8Array>,
): void {
  if (!isMembers(response) || !(response.body instanceof Readable)) return
  const { body, statusCode } = response
  if (commandName === 'GetObjectCommand' && Number(statusCode) < 300) return
  const tooLong = `the store sends more than ${MOST_REPLY_BYTES} bytes where a listing or an error is wanted`
  const bounded = limitBody(untilStalled(body), MOST_REPLY_BYTES, tooLong)
  const limited = Readable.from(bounded, { objectMode: false }).once('close', () => body.destroy())
  Object.assign(response, { body: limited })
}
