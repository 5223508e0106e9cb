import { createHmac, timingSafeEqual } from 'node:crypto'
import { fail } from '../../base/errors.ts'

/** A file that a recipient may fetch until the address expires. */
export interface SharedFile {
  readonly table: string
  readonly path: string
  readonly sha256: string
  readonly bytes: number
  /** Id of the key of the recipient; empty without keys. */
  readonly recipient: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** Writes the address of a file relative to the files route: `iot_rewards/month=2025-02/part-1.parquet?...`. */
export function writeSignedAddress(file: SharedFile, secret: Buffer): string {
  const { table, path, sha256, bytes, recipient, expires } = file
  const parts = [table, ...path.split('/')].map((part) => encodeURIComponent(part).replaceAll('%3D', '='))
  const signature = signatureOf(file, secret).toString('base64url')
  const query = new URLSearchParams({
    ...{ sha256, bytes: String(bytes) },
    ...(recipient !== '' && { recipient }),
    ...{ expires: String(expires), signature },
    // Delta Kernel requires a query parameter that marks a signed URL; `sp` is that of Azure.
    sp: 'r',
  })
  return `${parts.join('/')}?${query}`
}

type Query = Readonly<Record<string, unknown>>

/** Verifies an address. Errors: `feature_not_available` if it was changed or has expired. */
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
  const actual = Buffer.from(typeof signature === 'string' ? signature : '', 'base64url')
  const expected = signatureOf(file, secret)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
    const sentence =
      'The signature of this address is not one of this server: the address was changed, or another server signed it. Query the table again.'
    return fail('feature_not_available', sentence)
  }
  if (now < file.expires) return file
  const until = new Date(file.expires).toISOString()
  return fail('feature_not_available', `This address was valid until ${until}. Query the table again.`)
}

/** JSON delimits the parts unambiguously. */
function signatureOf({ table, path, sha256, bytes, recipient, expires }: SharedFile, secret: Buffer): Buffer {
  const text = JSON.stringify(['file', table, path, sha256, bytes, recipient, expires])
  return createHmac('sha256', secret).update(text).digest()
}
