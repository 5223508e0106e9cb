import { createHmac, hash, pbkdf2Sync, randomBytes } from 'node:crypto'

/** Proves to a server that a client has a key, and to the client that the server knew it; the key does not follow from it. */
export interface ScramVerifier {
  readonly iterations: number
  readonly salt: Buffer
  readonly storedKey: Buffer
  readonly serverKey: Buffer
}

/** A key has 256 random bits, so more iterations protect nothing. Clients expect at least as many. */
const ITERATIONS = 4096
const SALT_BYTES = 16
const KEY_BYTES = 32

const base64 = (bytes: number) => `([A-Za-z\\d+/]{${Math.floor((bytes * 4 + 2) / 3)}}=*)`
/** A verifier as PostgreSQL stores it. */
export const SCRAM_FORM = new RegExp(
  `^SCRAM-SHA-256\\$(\\d{4,7}):${base64(SALT_BYTES)}\\$${base64(KEY_BYTES)}:${base64(KEY_BYTES)}$`,
)

export const hmac = (key: Uint8Array, text: string | Uint8Array): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** Creates the verifier of a key, in the form of PostgreSQL. Source: RFC 5802 and RFC 7677. */
export function newVerifier(key: string, salt: Buffer = randomBytes(SALT_BYTES)): string {
  const salted = pbkdf2Sync(key, salt, ITERATIONS, KEY_BYTES, 'sha256')
  const storedKey = hash('sha256', hmac(salted, 'Client Key'), 'buffer')
  const parts = [storedKey, hmac(salted, 'Server Key')].map((bytes) => bytes.toString('base64'))
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${parts.join(':')}`
}

/** Parses a verifier; undefined for another form. */
export function readVerifier(text: string): ScramVerifier | undefined {
  const [, iterations, ...parts] = SCRAM_FORM.exec(text) ?? []
  const [salt, storedKey, serverKey] = parts.map((part) => Buffer.from(part, 'base64'))
  if (salt === undefined || storedKey === undefined || serverKey === undefined) return undefined
  return { iterations: Number(iterations), salt, storedKey, serverKey }
}

/** A verifier that no client can satisfy; the same name and secret give the same salt, as with a stored one. */
export function uselessVerifier(name: string, secret: string): ScramVerifier {
  const salt = hmac(Buffer.from(secret), name).subarray(0, SALT_BYTES)
  return {
    ...{ iterations: ITERATIONS, salt },
    ...{ storedKey: randomBytes(KEY_BYTES), serverKey: randomBytes(KEY_BYTES) },
  }
}
