import { sqlFeatures } from '../../../catalog/feature.ts'
import type { ApiKey } from '../../../keys/api-key.ts'
import { whyNotWhole } from '../../../keys/api-key.ts'
import type { KeyRing } from '../../../keys/key-ring.ts'
import { readVerifier, uselessVerifier } from '../../../keys/scram-verifier.ts'
import { missingFeatures } from '../../contract/missing-features.ts'
import { Fields, textOf } from '../wire/fields.ts'
import { refuse, refuseMessage } from '../wire/postgres-error.ts'
import { reply } from '../wire/replies.ts'
import type { SocketChannel } from '../wire/socket-channel.ts'
import { beginScram } from './scram.ts'

const MECHANISM = 'SCRAM-SHA-256'
const HINT =
  'The user is the name of an API key with the feature Sql, and the password is the key. A key that an older version added needs an encrypted connection (sslmode=require); or add a new one.'

/**
 * Checks the password of a user: the key of that name. Null if no keys are needed.
 * Errors: 28P01, the same for unknown names and wrong keys; 42501 for a key that may not use SQL; 57P03.
 */
export async function logIn(
  channel: SocketChannel,
  user: string,
  keys: KeyRing,
  isEncrypted: boolean,
): Promise<ApiKey | null> {
  if (!keys.isLocked()) return null
  if (keys.problem() !== undefined)
    refuse(
      '57P03',
      'The key file of this server is missing or damaged; no key is accepted until it is restored.',
      {
        isFatal: true,
      },
    )
  const key = keys.withName(user)
  const verifier = key?.scram === undefined ? undefined : readVerifier(key.scram)
  const isKnown =
    verifier === undefined && isEncrypted && keys.hasSqlWithoutVerifier()
      ? await checkPassword(channel, user, keys)
      : await checkScram(channel, verifier ?? uselessVerifier(user, keys.secret()))
  if (!isKnown || key === undefined)
    return refuse('28P01', `password authentication failed for user ${JSON.stringify(user)}`, {
      ...{ hint: HINT, isFatal: true },
    })
  const lacks = whyNoSql(key)
  return lacks === undefined ? key : refuse('42501', lacks, { isFatal: true })
}

/** Why a key may not use SQL; undefined if it may. */
export function whyNoSql(key: ApiKey): string | undefined {
  return missingFeatures(sqlFeatures, key.features)[0]?.message ?? whyNotWhole('Sql', key)
}

async function checkPassword(channel: SocketChannel, user: string, keys: KeyRing): Promise<boolean> {
  channel.send(reply.askPassword())
  const fields = new Fields(await receivePassword(channel))
  return keys.find(fields.text())?.name === user
}

async function checkScram(
  channel: SocketChannel,
  verifier: Parameters<typeof beginScram>[1],
): Promise<boolean> {
  channel.send(reply.askScram([MECHANISM]))
  const fields = new Fields(await receivePassword(channel))
  const mechanism = fields.text()
  if (mechanism !== MECHANISM) refuseMessage(`This server offers ${MECHANISM}, not ${mechanism}.`)
  const exchange = beginScram(textOf(fields.value() ?? Buffer.alloc(0)), verifier)
  channel.send(reply.continueScram(exchange.words))
  const last = exchange.finish(textOf(await receivePassword(channel)))
  if (last !== undefined) channel.send(reply.endScram(last))
  return last !== undefined
}

async function receivePassword(channel: SocketChannel): Promise<Buffer> {
  const frame = await channel.receive()
  if (frame === undefined) return refuseMessage('The client left during the login.')
  return frame.type === 'p' ? frame.body : refuseMessage('A password was expected.')
}
