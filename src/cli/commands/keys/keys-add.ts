import { type Command, Option } from 'commander'
import { fail, sentenceOf } from '../../../base/errors.ts'
import { visible } from '../../../base/visible.ts'
import {
  type Feature,
  features,
  operatorFeatures,
  shareFeatures,
  sqlFeatures,
} from '../../../catalog/feature.ts'
import { type KeyTerms, wholeFeatures, whyNotWhole } from '../../../keys/api-key.ts'
import { addKey, readKeys, removeKeyFile, revokeKey } from '../../../keys/key-file.ts'
import { areKeysNeeded, forgetKeysNeeded, noteKeysNeeded } from '../../../keys/keys-needed.ts'
import { readOrMakeSecret } from '../../../keys/share-secret.ts'
import type { Settings } from '../../../services/settings/settings.ts'
import { listedFeatures, localPath, notEmpty, positiveNumber, wholeNumber } from '../../flags/flag-values.ts'
import { type Flags, settingsFrom, withSettings } from '../../flags/with-settings.ts'
import { type ShowLines, show } from '../../terminal-text.ts'
import { keyFile } from './key-file.ts'
import { plainAddress } from './plain-address.ts'
import { endpointOf, type ProfileFlags, writeProfile } from './share-profile.ts'

interface TermFlags {
  readonly name: string
  readonly features?: readonly Feature[]
  readonly rate?: number
  readonly quota?: number
  readonly lookback?: number
  readonly profile?: string
  readonly url?: string
  readonly link?: string
}

export function addKeysAddCommand(keys: Command): void {
  withSettings(
    keys
      .command('add')
      .description('Add a key and print it on the last line; it is not stored, so it cannot be shown again.')
      .requiredOption('--name <NAME>', 'name of its owner, for listings and logs', notEmpty)
      .option(
        '--features <FEATURES>',
        `features it may use beyond those of every key: ${features.join(',')}, or none (default: all of these); ${operatorFeatures.join(',')}: to read /metrics where it is locked; ${sqlFeatures.join(',')}: SQL at /mcp, and ${shareFeatures.join(',')}: tables by Delta Sharing, each for keys with all of these and no look-back`,
        listedFeatures,
      )
      .option('--rate <PER_MINUTE>', 'requests per minute (default: no limit)', positiveNumber)
      .option('--quota <PER_30_DAYS>', 'successful requests per 30 days (default: no limit)', positiveNumber)
      .option(
        '--lookback <DAYS>',
        'days back that reward shares may be read (default: no limit)',
        wholeNumber,
      )
      .option(
        '--profile <FILE>',
        'write the key into a new profile for clients of Delta Sharing instead of printing it; without --features the key may then use all of these and Share',
        localPath,
      )
      .option('--url <URL>', 'address of the server, for --profile', notEmpty)
      .addOption(
        new Option(
          '--link <URL>',
          'address of the server: print a link that hands the key to its pages, for a browser or a phone',
        )
          .argParser(notEmpty)
          .conflicts(['profile', 'url']),
      ),
    ['lake', 'keys'],
  ).action((flags: Flags & TermFlags) => {
    const { name, rate: ratePerMinute = null, quota: quotaPer30Days = null } = flags
    const usual = flags.profile === undefined ? features : [...features, ...shareFeatures]
    const { features: named = usual, lookback: lookbackDays = null } = flags
    const terms = { name, features: named, ratePerMinute, quotaPer30Days, lookbackDays }
    return addApiKey(settingsFrom(flags), terms, show, flags)
  })
}

/**
 * Adds a key and prints it on the last line, alone or in a link; it is stored nowhere. With a profile, writes it there instead, for a
 * client of Delta Sharing. Revokes a key that cannot be shown.
 * Errors: `malformed_request`.
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
  const link = profile.link === undefined ? '' : `${plainAddress('--link', profile.link)}/#key=`
  const path = await keyFile(settings)
  const before = await readKeys(path)
  const wasOpen = before === undefined && !(settings.keys === '' && (await areKeysNeeded(settings.lake)))
  // Create the secret now: servers may lack the rights to, and must accept each other's addresses.
  if (terms.features.includes('Share')) await readOrMakeSecret(path)
  const add = () => addKey(path, terms, new Date())
  const { profile: file } = profile
  const undo = (key: string) => takeBack(settings, path, key, wasOpen)
  const text =
    file === undefined || endpoint === undefined ? await add() : await writeProfile(file, endpoint, add, undo)
  try {
    if (settings.keys === '') await noteKeysNeeded(settings.lake)
    await show([
      ...((before ?? []).length === 0 ? ['It is the first key: from now on every request needs one.'] : []),
      visible(
        `Key of ${terms.name}, ${termsOf(terms)}. ${file !== undefined ? PROFILE : link === '' ? SHOWN : LINK}`,
      ),
      file ?? link + text,
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
const LINK =
  'Open this link once in a browser; its page keeps the key until the tab is closed, and no server sees it. It is shown this once, and whoever has it has the key:'
const PROFILE = 'Its profile for clients of Delta Sharing:'
/**
 * Revokes a key that nobody has seen. If the lake was open before, removes the key file too: without a usable key it
 * would lock everyone out.
 */
async function takeBack(settings: Settings, path: string, key: string, wasOpen: boolean): Promise<void> {
  await revokeKey(path, key, new Date())
  const remaining = await readKeys(path)
  if (!wasOpen || (remaining ?? []).length > 1) return
  await removeKeyFile(path)
  if (settings.keys === '') await forgetKeysNeeded(settings.lake)
}

function termsOf({ features, ratePerMinute, quotaPer30Days, lookbackDays }: KeyTerms): string {
  const limits = [
    ...(ratePerMinute === null ? [] : [`${ratePerMinute} a minute`]),
    ...(quotaPer30Days === null ? [] : [`${quotaPer30Days} in 30 days`]),
    ...(lookbackDays === null ? [] : [`${lookbackDays} days back`]),
  ]
  const allowed = features.length === 0 ? 'no feature' : features.join(', ')
  return [allowed, ...(limits.length === 0 ? ['no limits'] : limits)].join('; ')
}
