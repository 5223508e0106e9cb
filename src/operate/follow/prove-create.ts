import { fail } from '../../base/errors.ts'
import { StoreFault } from '../object-store/object-store.ts'
import type { BucketLake } from './bucket-origin.ts'

/** The object stays in the bucket. Each later check is one request that the store refuses. */
const probeKey = (prefix: string) => `${prefix}_if-none-match.txt`

const text = Buffer.from(
  'Put here by ledgerlake to see that this store refuses to create an object that is there (If-None-Match: *).\n',
)
const NOT_IMPLEMENTED = 501

/** Checks of this process, by endpoint and address of the lake. */
const proofs = new Map<string, Promise<void>>()

/**
 * Checks once per process that the store supports `If-None-Match: *`. Without it, two writers would overwrite each
 * other's commits.
 * Errors: `lake_unwritable`, `StoreFault`.
 */
export async function proveCreate(lake: BucketLake, signal: AbortSignal): Promise<void> {
  const name = `${lake.endpoint} ${lake.url}`
  const proof = proofs.get(name) ?? prove(lake, signal)
  proofs.set(name, proof)
  try {
    await proof
  } catch (error) {
    proofs.delete(name)
    throw error
  }
}

async function prove({ store, url, prefix }: BucketLake, signal: AbortSignal): Promise<void> {
  const create = async () => await store.create(probeKey(prefix), text, signal)
  try {
    // Any refusal proves support, whoever created the object.
    if (!(await create()) || !(await create())) return
  } catch (error) {
    if (!(error instanceof StoreFault && error.status === NOT_IMPLEMENTED)) throw error
    refuse(url, 'it answers 501 to a PUT with If-None-Match', error)
  }
  refuse(url, `it has replaced ${probeKey(prefix)} although the PUT said If-None-Match: *`)
}

function refuse(url: string, fault: string, cause?: unknown): never {
  fail(
    'lake_unwritable',
    `The store of ${url} cannot hold a lake: ${fault}, so two writers would overwrite each other's commits. ` +
      'Use a store that creates an object only if there is none, such as Amazon S3 or MinIO; or a lake on a disk, and copy it there with backup.',
    { cause },
  )
}
