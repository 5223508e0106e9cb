import { createHash } from 'node:crypto'
import { isMembers } from '../../../lake/log/log-actions.ts'
import { StoreFault } from '../object-store.ts'
import { abortable, type S3Connection } from './s3-client.ts'
import { faultOfS3 } from './s3-faults.ts'

const MOST_REMOVED = 1000
/** Statuses of stores without the batch request. */
const NOT_OFFERED = [405, 501]
/** Status of a key that is refused within a reply of 200. */
const REFUSED = 400

/** Removes objects in batches, or one by one if the store has no batch request. Errors: `StoreFault`. */
export async function removeObjects(
  { ask }: S3Connection,
  Bucket: string,
  keys: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { DeleteObjectCommand, DeleteObjectsCommand } = await import('@aws-sdk/client-s3')

  async function removeMany(batch: readonly string[]): Promise<void> {
    const Objects = batch.map((Key) => ({ Key }))
    const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })
    // Some stores require it, and the client sends other checksums only.
    const addMd5 = { step: 'build', priority: 'low' } as const
    command.middlewareStack.add((next) => async (args) => await next(withContentMd5(args)), addMd5)
    const { Errors = [] } = await ask((client) => client.send(command, abortable(signal)), signal)
    const failed = Errors.find(({ Code }) => Code !== 'NoSuchKey')
    if (failed === undefined) return
    const { Key, Code = '', Message = '' } = failed
    const message = `${Key} cannot be removed: ${Code} ${Message}`
    throw faultOfS3({ name: Code, message, $metadata: { httpStatusCode: REFUSED } }, Bucket)
  }

  async function removeOne(Key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket, Key })
    await ask((client) => client.send(command, abortable(signal)), signal).catch((error) => {
      if (!(error instanceof StoreFault && error.kind === 'changed')) throw error
    })
  }

  for (let first = 0; first < keys.length; first += MOST_REMOVED) {
    const batch = keys.slice(first, first + MOST_REMOVED)
    try {
      await removeMany(batch)
    } catch (error) {
      if (!(error instanceof StoreFault && NOT_OFFERED.includes(error.status))) throw error
      for (const key of batch) await removeOne(key)
    }
  }
}

/** Adds `Content-MD5` to a request whose body is in memory. */
function withContentMd5<T extends { readonly request: unknown }>(args: T): T {
  const { headers, body } = isMembers(args.request) ? args.request : {}
  if (isMembers(headers) && (typeof body === 'string' || body instanceof Uint8Array))
    Object.assign(headers, { 'content-md5': createHash('md5').update(body).digest('base64') })
  return args
}
