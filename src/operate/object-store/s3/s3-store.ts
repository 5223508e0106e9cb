import type { GetObjectCommandOutput, ListObjectsV2CommandOutput } from '@aws-sdk/client-s3'
import { type ObjectStore, type ObjectToRead, StoreFault } from '../object-store.ts'
import { paceOf, readUntilStalled } from '../read-until-stalled.ts'
import { abortable, md5OfEtag, openS3Connection, type S3Options, SILENT_MS, streamOf } from './s3-client.ts'
import { faultOfS3 } from './s3-faults.ts'

/** Opens a bucket of S3 or a compatible store; sends no request. */
export function openS3Store(options: S3Options, connection = openS3Connection(options)): ObjectStore {
  const { bucket, isRequesterPays, silentMs = SILENT_MS } = options
  const paid = isRequesterPays ? ({ RequestPayer: 'requester' } as const) : {}
  const { ask, close } = connection

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
      const reply = await ask((client) => client.send(command, abortable(signal)), signal)
      const fault = faultOfListing(reply)
      if (fault !== undefined)
        throw new StoreFault('passing', `s3://${bucket}: the store answers 200 with ${fault}`)
      const objects = (reply.Contents ?? []).map(({ Key = '', Size, ETag = '', LastModified }) => ({
        ...{ key: Key, bytes: sizeOf(Key, Size), etag: ETag.replaceAll('"', '') },
        storedAt: LastModified?.getTime(),
      }))
      const folders = (reply.CommonPrefixes ?? []).flatMap(({ Prefix }) => Prefix ?? [])
      return { objects, folders, next: reply.IsTruncated ? reply.NextContinuationToken : undefined }
    },

    async head(key, signal) {
      const { HeadObjectCommand } = await import('@aws-sdk/client-s3')
      const command = new HeadObjectCommand({ Bucket: bucket, Key: key, ...paid })
      try {
        const reply = await ask((client) => client.send(command, abortable(signal)), signal)
        const { ContentLength, ETag = '', LastModified } = reply
        return {
          key,
          bytes: sizeOf(key, ContentLength),
          etag: ETag.replaceAll('"', ''),
          storedAt: LastModified?.getTime(),
        }
      } catch (error) {
        if (error instanceof StoreFault && error.kind === 'changed') return undefined
        throw error
      }
    },

    async read({ key, etag, bytes }, from, signal) {
      const { GetObjectCommand } = await import('@aws-sdk/client-s3')
      const command = new GetObjectCommand({
        ...{ Bucket: bucket, Key: key, ...paid },
        ...(etag !== undefined && { IfMatch: `"${etag}"` }),
        ...(from > 0 && { Range: `bytes=${from}-` }),
      })
      const reply = await ask((client) => client.send(command, abortable(signal)), signal)
      const body = streamOf(reply)
      const misfit = misfitOf(reply, { key, etag, bytes: bytes - from })
      if (misfit !== undefined) {
        // An unread body keeps its socket open.
        body.destroy()
        throw misfit
      }
      const chunks = readUntilStalled(body, paceOf(silentMs), (error) => faultOfS3(error, bucket), signal)
      return { chunks, md5: md5OfEtag(etag, reply) }
    },

    close,
  }
}

/**
 * Describes an invalid listing, or returns undefined. The client parses any document as an empty listing, and a page
 * without token as the last.
 */
function faultOfListing(reply: ListObjectsV2CommandOutput): string | undefined {
  const { Name, Prefix, KeyCount, IsTruncated, NextContinuationToken } = reply
  if ([Name, Prefix, KeyCount, IsTruncated].every((member) => member === undefined))
    return 'something other than a listing; check --endpoint, and for a proxy or a login page on the way'
  if (IsTruncated && !NextContinuationToken) return 'a listing that goes on, and does not say where'
  return undefined
}

/** Errors: `StoreFault` for an invalid size. */
function sizeOf(key: string, bytes: number | undefined): number {
  if (bytes !== undefined && Number.isSafeInteger(bytes) && bytes >= 0) return bytes
  throw new StoreFault('passing', `the store gives ${bytes ?? 'no number'} as the size of ${key}`)
}

/** Returns a fault if the reply is not the requested object. */
function misfitOf(
  { ETag, ContentLength }: GetObjectCommandOutput,
  { key, etag, bytes }: ObjectToRead,
): StoreFault | undefined {
  if (ETag !== undefined && etag !== undefined && ETag.replaceAll('"', '') !== etag)
    return new StoreFault('changed', `${key} has other bytes than when it was listed`)
  if (ContentLength !== undefined && ContentLength !== bytes)
    return new StoreFault('passing', `${ContentLength} bytes of ${key} are sent, not ${bytes}`)
  return undefined
}
