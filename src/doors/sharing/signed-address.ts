import { createHmac, timingSafeEqual } from 'node:crypto'
import { fail } from '../../base/errors.ts'

/** A data file that somebody may fetch until its address expires. */
export interface SharedFile {
  readonly table: string
  /** Path within the table. */
  readonly path: string
  readonly sha256: string
  readonly bytes: number
  /** Id of the key that was given the address; empty while no keys are needed. */
  readonly recipient: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** A file below the folder of files, as an address: `iot_rewards/month=2025-02/part-1.parquet?...`. */
export function writeSignedAddress(file: SharedFile, secret: Buffer): string {
  const { table, path, sha256, bytes, recipient, expires } = file
  const parts = [table, ...path.split('/')].map((part) => encodeURIComponent(part).replaceAll('%3D', '='))
  const signature = signatureOf(file, secret).toString('base64url')
  const query = new URLSearchParams({
    ...{ sha256, bytes: String(bytes) },
    ...(recipient !== '' && { recipient }),
    ...{ expires: String(expires), signature },
    // Delta Kernel fetches an address only if it knows it for signed by a parameter; this one says, as Azure does, that it may be read.
    sp: 'r',
  })
  return `${parts.join('/')}?${query}`
}

type Query = Readonly<Record<string, unknown>>

/** The file of an address as it was signed. Errors: `feature_not_available` when it was changed or has expired. */
export function readSignedAddress(
  { table, path }: Pick<SharedFile, 'table' | 'path'>,
  query: Query,
  secret: Buffer,
  now: number,
): SharedFile {
  const { sha256, bytes, recipient = '', expires, signature } = query
  const file = {
    ...{ table, path, sha256: String(sha256), bytes: Number(bytes) },
    ...{ recipient: String(recipient), expires: Number(expires) },
  }
  const given = Buffer.from(typeof signature === 'string' ? signature : '', 'base64url')
  const own = signatureOf(file, secret)
  if (given.length !== own.length || !timingSafeEqual(given, own)) {
    const sentence =
      'The signature of this address is not one of this server: the address was changed, or another server signed it. Query the table again.'
    return fail('feature_not_available', sentence)
  }
  if (now < file.expires) return file
  const until = new Date(file.expires).toISOString()
  return fail('feature_not_available', `This address was valid until ${until}. Query the table again.`)
}

/** JSON keeps the parts apart, whatever stands in them. */
function signatureOf({ table, path, sha256, bytes, recipient, expires }: SharedFile, secret: Buffer): Buffer {
  const text = JSON.stringify(['file', table, path, sha256, bytes, recipient, expires])
  return createHmac('sha256', secret).update(text).digest()
}
