import type { Readable } from 'node:stream'
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'
import { type ObjectStore, type StoredObject, StoreFault } from './object-store.ts'
import { faultOfS3 } from './s3-faults.ts'

/** Where a bucket is. Credentials and, unless the endpoint has none, the region are found as the AWS tools find them. */
export interface S3Options {
  readonly bucket: string
  /** Address of a store that is not Amazon's, such as `http://127.0.0.1:9000`; empty: Amazon's. */
  readonly endpoint: string
  /** Requests say that whoever asks pays for them. */
  readonly isRequesterPays: boolean
}

const CONNECT_MS = 10_000
const SILENT_MS = 30_000

/** Opens a bucket of S3 or of a store that speaks its protocol. Nothing is asked yet. */
export function openS3Store(options: S3Options): ObjectStore {
  const { bucket, isRequesterPays } = options
  const paid = isRequesterPays ? ({ RequestPayer: 'requester' } as const) : {}
  let client: Promise<S3Client> | undefined

  /** Errors become `StoreFault`; expired credentials are looked up anew by the next request. */
  async function ask<T>(send: (client: S3Client) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted()
    client ??= openClient(options)
    try {
      return await send(await client)
    } catch (error) {
      signal?.throwIfAborted()
      const fault = faultOfS3(error, bucket)
      if (fault.kind === 'expired') client = undefined
      throw fault
    }
  }

  return {
    async list({ prefix, startAfter, isFlat = false, next }, signal) {
      const { ListObjectsV2Command } = await import('@aws-sdk/client-s3')
      const command = new ListObjectsV2Command({
        ...{
          Bucket: bucket,
          Prefix: prefix || undefined,
          StartAfter: startAfter,
          ContinuationToken: next,
          ...paid,
        },
        ...(isFlat && { Delimiter: '/' }),
      })
      const reply = await ask((own) => own.send(command, abortable(signal)), signal)
      const objects = (reply.Contents ?? []).map(({ Key = '', Size = 0, ETag = '' }) => ({
        ...{ key: Key, bytes: Size, etag: ETag.replaceAll('"', '') },
      }))
      const folders = (reply.CommonPrefixes ?? []).flatMap(({ Prefix }) => Prefix ?? [])
      return { objects, folders, next: reply.IsTruncated ? reply.NextContinuationToken : undefined }
    },

    async read({ key, etag, bytes }, from, signal) {
      const { GetObjectCommand } = await import('@aws-sdk/client-s3')
      const command = new GetObjectCommand({
        ...{ Bucket: bucket, Key: key, IfMatch: `"${etag}"`, ...paid },
        ...(from > 0 && { Range: `bytes=${from}-` }),
      })
      const reply = await ask((own) => own.send(command, abortable(signal)), signal)
      const body = reply.Body as Readable
      const misfit = misfitOf(reply, { key, etag, bytes: bytes - from })
      if (misfit !== undefined) {
        // Its socket would stay open until it is read.
        body.destroy()
        throw misfit
      }
      // The ETag of what is encrypted with a key of the owner, or was sent in parts, is no MD5.
      const isMd5 = /^[\da-f]{32}$/.test(etag) && !(reply.ServerSideEncryption ?? '').startsWith('aws:')
      return { chunks: bodyOf(body, bucket, signal), md5: isMd5 ? etag : undefined }
    },

    close() {
      void client?.then((own) => own.destroy()).catch(() => {})
    },
  }
}

/** The types of the client have no place for an option that is undefined. */
const abortable = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { abortSignal: signal })

/** Why a reply is not what was asked for; undefined when it is. */
function misfitOf(
  { ETag, ContentLength }: GetObjectCommandOutput,
  { key, etag, bytes }: StoredObject,
): StoreFault | undefined {
  if (ETag !== undefined && ETag.replaceAll('"', '') !== etag)
    return new StoreFault('changed', `${key} has other bytes than when it was listed`)
  if (ContentLength !== undefined && ContentLength !== bytes)
    return new StoreFault('passing', `${ContentLength} bytes of ${key} are sent, not ${bytes}`)
  return undefined
}

async function openClient({ endpoint }: S3Options): Promise<S3Client> {
  // It writes of the next versions of Node and of itself on standard error.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const { S3Client } = await import('@aws-sdk/client-s3')
  return new S3Client({
    ...(endpoint !== '' && { endpoint, forcePathStyle: true }),
    followRegionRedirects: true,
    // Each request is counted by who asks, and repeated there.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: SILENT_MS, throwOnRequestTimeout: true },
  })
}

/** The bytes of a reply, which end with an error after a silence. */
async function* bodyOf(
  chunks: AsyncIterable<Uint8Array>,
  bucket: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await withinSilence(iterator.next())
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw faultOfS3(error, bucket)
  } finally {
    void iterator.return?.().catch(() => {})
  }
}

async function withinSilence<T>(next: Promise<T>): Promise<T> {
  const limit = new AbortController()
  const silence = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new StoreFault('passing', 'nothing came for 30 s')), SILENT_MS)
    limit.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
  try {
    return await Promise.race([next, silence])
  } finally {
    limit.abort()
  }
}
