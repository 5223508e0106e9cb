import type { Command } from 'commander'
import {
  type Feature,
  features,
  operatorFeatures,
  shareFeatures,
  sqlFeatures,
} from '../../catalog/feature.ts'
import { addApiKey, listApiKeys, revokeApiKey, turnKeysOff } from '../commands/keys.ts'
import { listedFeatures, localPath, notEmpty, positiveNumber, wholeNumber } from '../flags/flag-values.ts'
import { type Flags, print, settingsFrom, show, withSettings } from '../flags/with-settings.ts'

interface TermFlags {
  readonly name: string
  readonly features?: readonly Feature[]
  readonly rate?: number
  readonly quota?: number
  readonly lookback?: number
  readonly profile?: string
  readonly url?: string
}

/** Commands that manage API keys. */
export function addKeysCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description('Manage API keys. Once there is one, servers require a key, running servers included.')
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
      .option('--url <URL>', 'address of the server, for --profile', notEmpty),
    ['lake', 'keys'],
  ).action((flags: Flags & TermFlags) => {
    const { name, rate: ratePerMinute = null, quota: quotaPer30Days = null } = flags
    const usual = flags.profile === undefined ? features : [...features, ...shareFeatures]
    const { features: named = usual, lookback: lookbackDays = null } = flags
    const terms = { name, features: named, ratePerMinute, quotaPer30Days, lookbackDays }
    return addApiKey(settingsFrom(flags), terms, show, flags)
  })
  withSettings(
    keys
      .command('list')
      .description('List keys with their limits, features and usage; the keys themselves are not stored.')
      .option('--json', 'print one JSON object a line'),
    ['lake', 'keys'],
  ).action((flags: Flags) => listApiKeys(settingsFrom(flags), flags.json === true, print))
  withSettings(keys.command('revoke').description('Revoke a key.').argument('<name or id>', 'of the key'), [
    'lake',
    'keys',
  ]).action((nameOrId: string, flags: Flags) => revokeApiKey(settingsFrom(flags), nameOrId, print))
  withSettings(
    keys
      .command('off')
      .description('Serve without keys again: remove the key file, when every key in it is revoked.'),
    ['lake', 'keys'],
  ).action((flags: Flags) => turnKeysOff(settingsFrom(flags), print))
}
