import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { hashFile } from '../../../lake/disk/disk.ts'
import { limitBody } from '../limit-body.ts'
import { type ObjectContent, StoreFault, type WritableStore } from '../object-store.ts'
import { paceOf, readUntilStalled } from '../read-until-stalled.ts'
import { removeObjects } from './remove-objects.ts'
import {
  abortable,
  md5OfEtag,
  openS3Connection,
  type S3Options,
  SILENT_MS,
  streamOf,
  uploadTimeoutMs,
} from './s3-client.ts'
import { faultOfS3 } from './s3-faults.ts'
import { openS3Store } from './s3-store.ts'

/** Largest object held in memory; the log entry of a commit of thousands of files has some ten million bytes. */
const MOST_WHOLE_BYTES = 2 ** 26

/** Opens a bucket for writing; sends no request. */
export function openWritableS3Store(options: S3Options): WritableStore {
  const connection = openS3Connection(options)
  const { bucket: Bucket } = options
  const { ask } = connection
  /** Some stores require `Content-MD5`. */
  let wantsMd5 = false

  async function send(
    key: string,
    content: ObjectContent,
    signal: AbortSignal | undefined,
    condition: object,
  ): Promise<void> {
    const { PutObjectCommand } = await import('@aws-sdk/client-s3')
    const isBuffer = Buffer.isBuffer(content)
    const sums = {
      ChecksumSHA256: isBuffer
        ? digestOf('sha256', content, 'base64')
        : Buffer.from(content.sha256, 'hex').toString('base64'),
      ...(wantsMd5 && { ContentMD5: await md5Of(content) }),
    }
    const ContentLength = isBuffer ? content.length : content.bytes
    const requestTimeout = uploadTimeoutMs(ContentLength, options.silentMs)
    const put = async () => {
      const Body = isBuffer ? content : createReadStream(content.path)
      const command = new PutObjectCommand({ Bucket, Key: key, Body, ContentLength, ...sums, ...condition })
      await ask((client) => client.send(command, { ...abortable(signal), requestTimeout }), signal)
    }
    try {
      await put()
    } catch (error) {
      if (wantsMd5 || !(error instanceof StoreFault) || !/content-md5/i.test(error.message)) throw error
      wantsMd5 = true
      await send(key, content, signal, condition)
    }
  }

  return {
    ...openS3Store(options, connection),

    async get(key, signal, unless) {
      const { GetObjectCommand } = await import('@aws-sdk/client-s3')
      const condition = unless === undefined ? {} : { IfNoneMatch: `"${unless}"` }
      const command = new GetObjectCommand({ Bucket, Key: key, ...condition })
      try {
        return await ask(async (client) => {
          const reply = await client.send(command, abortable(signal))
          const body = readUntilStalled(
            streamOf(reply),
            paceOf(options.silentMs ?? SILENT_MS),
            (error) => faultOfS3(error, Bucket),
            signal,
          )
          const tooLong = `the store sends more than ${MOST_WHOLE_BYTES} bytes of ${key}`
          const bytes = await buffer(limitBody(body, MOST_WHOLE_BYTES, tooLong))
          const etag = (reply.ETag ?? '').replaceAll('"', '')
          const actualMd5 = digestOf('md5', bytes, 'hex')
          if ((md5OfEtag(etag, reply) ?? actualMd5) !== actualMd5)
            throw new StoreFault('passing', `${key} came with other bytes than are stored`)
          return { bytes, etag }
        }, signal)
      } catch (error) {
        if (error instanceof StoreFault && (error.kind === 'changed' || error.status === 304))
          return undefined
        throw error
      }
    },

    put: (key, content, signal) => send(key, content, signal, {}),

    async create(key, content, signal) {
      try {
        await send(key, content, signal, { IfNoneMatch: '*' })
        return true
      } catch (error) {
        if (error instanceof StoreFault && error.status === 412) return false
        throw error
      }
    },

    remove: (keys, signal) => removeObjects(connection, Bucket, keys, signal),
  }
}

async function md5Of(content: ObjectContent): Promise<string> {
  if (Buffer.isBuffer(content)) return digestOf('md5', content, 'base64')
  return Buffer.from(await hashFile(content.path, 'md5'), 'hex').toString('base64')
}

function digestOf(algorithm: 'md5' | 'sha256', bytes: Buffer, encoding: 'hex' | 'base64'): string {
  return createHash(algorithm).update(bytes).digest(encoding)
}
