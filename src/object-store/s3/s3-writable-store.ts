import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type Content, StoreFault, type WritableStore } from '../object-store.ts'
import { abortable, md5Told, openAsker, type S3Options } from './s3-client.ts'
import { openS3Store } from './s3-store.ts'

/** The most keys of one request. */
const MOST_REMOVED = 1000

/** Opens a bucket that is also written. Nothing is asked yet. */
export function openWritableS3Store(options: S3Options): WritableStore {
  const asker = openAsker(options)
  const { bucket: Bucket } = options
  const { ask } = asker

  async function send(
    key: string,
    content: Content,
    signal: AbortSignal | undefined,
    condition: object,
  ): Promise<void> {
    const { PutObjectCommand } = await import('@aws-sdk/client-s3')
    const given = Buffer.isBuffer(content)
      ? {
          Body: content,
          ContentLength: content.length,
          ChecksumSHA256: digestOf('sha256', content, 'base64'),
        }
      : {
          Body: createReadStream(content.path),
          ContentLength: content.bytes,
          ChecksumSHA256: Buffer.from(content.sha256, 'hex').toString('base64'),
        }
    const command = new PutObjectCommand({ Bucket, Key: key, ...given, ...condition })
    await ask((own) => own.send(command, abortable(signal)), signal)
  }

  return {
    ...openS3Store(options, asker),

    async get(key, signal, unless) {
      const { GetObjectCommand } = await import('@aws-sdk/client-s3')
      const condition = unless === undefined ? {} : { IfNoneMatch: `"${unless}"` }
      const command = new GetObjectCommand({ Bucket, Key: key, ...condition })
      try {
        return await ask(async (own) => {
          const reply = await own.send(command, abortable(signal))
          const bytes = Buffer.from((await reply.Body?.transformToByteArray()) ?? [])
          const etag = (reply.ETag ?? '').replaceAll('"', '')
          const found = digestOf('md5', bytes, 'hex')
          if ((md5Told(etag, reply) ?? found) !== found)
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

    async remove(keys, signal) {
      const { DeleteObjectsCommand } = await import('@aws-sdk/client-s3')
      for (let first = 0; first < keys.length; first += MOST_REMOVED) {
        const Objects = keys.slice(first, first + MOST_REMOVED).map((Key) => ({ Key }))
        const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })
        const { Errors = [] } = await ask((own) => own.send(command, abortable(signal)), signal)
        const [{ Key, Code, Message } = {}] = Errors
        if (Errors.length > 0) throw new StoreFault('passing', `${Key} cannot be removed: ${Code} ${Message}`)
      }
    },
  }
}

function digestOf(algorithm: 'md5' | 'sha256', bytes: Buffer, encoding: 'hex' | 'base64'): string {
  return createHash(algorithm).update(bytes).digest(encoding)
}
