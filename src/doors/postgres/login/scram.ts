import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { hmac, type ScramVerifier } from '../../../keys/scram-verifier.ts'
import { refuseMessage } from '../wire/postgres-error.ts'

/** An exchange that has begun: the words for the client, and the check of its reply. */
export interface ScramExchange {
  readonly words: string
  /** Returns the last words for a client that has the key, otherwise undefined. Errors: 08P01. */
  finish(last: string): string | undefined
}

/** Text that lets a client prove the channel; this server offers no channel binding. */
const HEAD = /^([ny]),(a=[^,]*)?,/

/** Begins SCRAM-SHA-256 with the first words of a client. Source: RFC 5802. Errors: 08P01. */
export function beginScram(first: string, verifier: ScramVerifier): ScramExchange {
  const [head] = HEAD.exec(first) ?? []
  if (head === undefined)
    return refuseMessage('The first words of SCRAM are malformed, or ask for channel binding.')
  const bare = first.slice(head.length)
  // The user of the startup message counts; clients leave this one empty.
  const [, clientNonce] = /^n=[^,]*,r=([\x21-\x2b\x2d-\x7e]{1,200})(?:,|$)/.exec(bare) ?? []
  if (clientNonce === undefined) return refuseMessage('The first words of SCRAM have no nonce.')
  const nonce = `${clientNonce}${randomBytes(18).toString('base64')}`
  const { iterations, salt, storedKey, serverKey } = verifier
  const words = `r=${nonce},s=${salt.toString('base64')},i=${iterations}`

  return {
    words,
    finish(last) {
      const [, binding, itsNonce, proof] =
        /^c=([A-Za-z\d+/=]+),r=([^,]+)(?:,[^p][^,]*)*,p=([A-Za-z\d+/]{43}=)$/.exec(last) ?? []
      if (proof === undefined) return refuseMessage('The last words of SCRAM are malformed.')
      if (itsNonce !== nonce || binding !== Buffer.from(head).toString('base64'))
        return refuseMessage('The last words of SCRAM do not continue the first ones.')
      const withoutProof = last.slice(0, last.lastIndexOf(',p='))
      const everything = `${bare},${words},${withoutProof}`
      const signature = hmac(storedKey, everything)
      const clientKey = Buffer.from(proof, 'base64').map((byte, index) => byte ^ (signature[index] ?? 0))
      if (!timingSafeEqual(hash('sha256', clientKey, 'buffer'), storedKey)) return undefined
      return `v=${hmac(serverKey, everything).toString('base64')}`
    },
  }
}
