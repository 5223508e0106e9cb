import { fail, sentenceOf } from '../../base/errors.ts'
import { visible } from '../../base/visible.ts'
import { openLake } from '../../lake/snapshot/lake.ts'
import { type ApiKey, type KeyTerms, wholeFeatures, whyNotWhole } from '../../operate/keys/api-key.ts'
import { addKey, readKeys, removeKeyFile, revokeKey } from '../../operate/keys/key-file.ts'
import { areKeysNeeded, forgetKeysNeeded, noteKeysNeeded } from '../../operate/keys/keys-needed.ts'
import { keptSecret } from '../../operate/keys/share-secret.ts'
import { usageAt } from '../../operate/keys/usage-file.ts'
import { keyFileOf, openUsageFile } from '../../services/keys.ts'
import type { Settings } from '../../settings/settings.ts'
import { endpointOf, type ProfileFlags, writeProfile } from '../share-profile.ts'
import { alignColumns, type Print, type ShowLines } from '../terminal-text.ts'

/** The file of keys. One that is not named lies in the lake, which must be there. Errors: `not_ready`. */
async function keyFile(settings: Settings): Promise<string> {
  if (settings.keys === '') await openLake(settings.lake)
  return keyFileOf(settings)
}

/**
 * Adds a key. It is printed alone on the last line, and nowhere kept; with a profile it is written there instead, for a client of
 * Delta Sharing. A key that cannot be shown is taken back. Errors: `malformed_request`.
 */
export async function addApiKey(
  settings: Settings,
  terms: KeyTerms,
  show: ShowLines,
  profile: ProfileFlags = {},
): Promise<void> {
  const refused = wholeFeatures
    .filter((feature) => terms.features.includes(feature))
    .map((feature) => whyNotWhole(feature, terms))
    .find((sentence) => sentence !== undefined)
  if (refused !== undefined) fail('malformed_request', refused)
  const endpoint = endpointOf(profile, terms)
  const path = await keyFile(settings)
  const before = await readKeys(path)
  const wasOpen = before === undefined && !(settings.keys === '' && (await areKeysNeeded(settings.lake)))
  // Servers that may not write here find it, and so accept one another's addresses.
  if (terms.features.includes('Share')) await keptSecret(path)
  const add = () => addKey(path, terms, new Date())
  const { profile: file } = profile
  const undo = (key: string) => takeBack(settings, path, key, wasOpen)
  const text =
    file === undefined || endpoint === undefined ? await add() : await writeProfile(file, endpoint, add, undo)
  try {
    if (settings.keys === '') await noteKeysNeeded(settings.lake)
    await show([
      ...((before ?? []).length === 0 ? ['It is the first key: from now on every request needs one.'] : []),
      visible(`Key of ${terms.name}, ${termsOf(terms)}. ${file === undefined ? SHOWN : PROFILE}`),
      file ?? text,
    ])
  } catch (cause) {
    if (file !== undefined) throw cause
    const outcome = await undo(text).then(
      () => 'It was taken back; add it again where standard output can be written.',
      (error) => `It could not be taken back: ${sentenceOf(error)}. Revoke it with: ledgerlake keys revoke`,
    )
    const why = `The key of ${JSON.stringify(terms.name)} cannot be shown: ${sentenceOf(cause)}.`
    fail('malformed_request', `${why} ${outcome}`, { cause })
  }
}

const SHOWN = 'Keep it; it is shown this once:'
const PROFILE = 'Its profile for clients of Delta Sharing:'

/** Revokes a key that nobody has seen. A lake that was open is so again: with the key file alone it would answer nobody. */
async function takeBack(settings: Settings, path: string, key: string, wasOpen: boolean): Promise<void> {
  await revokeKey(path, key, new Date())
  const remaining = await readKeys(path)
  if (!wasOpen || (remaining ?? []).length > 1) return
  await removeKeyFile(path)
  if (settings.keys === '') await forgetKeysNeeded(settings.lake)
}

/** Revokes the key of a name or an id. Errors: `not_found`. */
export async function revokeApiKey(settings: Settings, nameOrId: string, print: Print): Promise<void> {
  const path = await keyFile(settings)
  const { id, name } = await revokeKey(path, nameOrId, new Date())
  print(visible(`Revoked the key of ${name}, ${id}; a server that runs notices it within a second.`))
  const left = ((await readKeys(path)) ?? []).filter((key) => key.revoked === undefined)
  if (left.length > 0) return
  print('No key is left, so no request is answered; to serve without keys: ledgerlake keys off')
}

/** Removes the key file, which must have no key in use, and the note that keys are needed. Errors: `malformed_request`. */
export async function turnKeysOff(settings: Settings, print: Print): Promise<void> {
  await removeKeyFile(await keyFile(settings))
  if (settings.keys === '') await forgetKeysNeeded(settings.lake)
  print(
    'No key is needed any more once the server is started anew; without keys it listens on loopback only.',
  )
}

const HEADS = ['id', 'name', 'features', 'rate/min', 'quota/30 d', 'used', 'look-back', 'created', 'revoked']

/** Lists the keys with what they may do and what they have used, never the keys themselves. */
export async function listApiKeys(settings: Settings, json: boolean, print: Print): Promise<void> {
  const path = await keyFile(settings)
  const keys = (await readKeys(path)) ?? []
  const usage = openUsageFile(settings, (error) =>
    process.stderr.write(`ledgerlake: ${visible(sentenceOf(error))}\n`),
  )
  const now = Date.now()
  const used = ({ id, quotaPer30Days }: ApiKey) =>
    quotaPer30Days === null ? null : usageAt(usage.find(id), now).used
  try {
    if (json) {
      for (const key of keys) {
        const { sha256: _, ...shown } = key
        print(JSON.stringify({ ...shown, used: used(key) }))
      }
      return
    }
    if (keys.length === 0) {
      print(`There are no keys in ${path}; add one with: ledgerlake keys add --name NAME`)
      return
    }
    const cells = keys.map((key) => [
      key.id,
      visible(key.name),
      key.features.join(',') || '-',
      numberOr(key.ratePerMinute),
      numberOr(key.quotaPer30Days),
      numberOr(used(key)),
      key.lookbackDays === null ? '-' : `${key.lookbackDays} d`,
      secondsOf(key.created),
      key.revoked === undefined ? '-' : secondsOf(key.revoked),
    ])
    for (const line of alignColumns([HEADS, ...cells], [0, 1, 2])) print(line)
  } finally {
    usage.close()
  }
}

const numberOr = (value: number | null) => (value === null ? '-' : String(value))
const secondsOf = (instant: string) => `${instant.slice(0, 19)}Z`

function termsOf({ features, ratePerMinute, quotaPer30Days, lookbackDays }: KeyTerms): string {
  const limits = [
    ...(ratePerMinute === null ? [] : [`${ratePerMinute} a minute`]),
    ...(quotaPer30Days === null ? [] : [`${quotaPer30Days} in 30 days`]),
    ...(lookbackDays === null ? [] : [`${lookbackDays} days back`]),
  ]
  const allowed = features.length === 0 ? 'no feature' : features.join(', ')
  return [allowed, ...(limits.length === 0 ? ['no limits'] : limits)].join('; ')
}
