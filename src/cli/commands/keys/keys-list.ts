import type { Command } from 'commander'
import { sentenceOf } from '../../../base/errors.ts'
import { visible } from '../../../base/visible.ts'
import type { ApiKey } from '../../../keys/api-key.ts'
import { readKeys } from '../../../keys/key-file.ts'
import { usageAt } from '../../../keys/usage-file.ts'
import { usedByKeys } from '../../../services/keys.ts'
import type { Settings } from '../../../services/settings/settings.ts'
import { type Flags, settingsFrom, withSettings } from '../../flags/with-settings.ts'
import { alignColumns, print, printLines } from '../../terminal-text.ts'
import { keyFile } from './key-file.ts'

export function addKeysListCommand(keys: Command): void {
  withSettings(
    keys
      .command('list')
      .description('List keys with their limits, features and usage; the keys themselves are not stored.')
      .option('--json', 'print one JSON object a line'),
    ['lake', 'keys'],
  ).action((flags: Flags) => listApiKeys(settingsFrom(flags), flags.json === true))
}

const HEADS = ['id', 'name', 'features', 'rate/min', 'quota/30 d', 'used', 'look-back', 'created', 'revoked']
/** Lists keys with their features, limits and usage, but without their secrets. */
async function listApiKeys(settings: Settings, json: boolean): Promise<void> {
  const path = await keyFile(settings)
  const keys = (await readKeys(path)) ?? []
  const usageOf = usedByKeys(settings, (error) =>
    process.stderr.write(`ledgerlake: ${visible(sentenceOf(error))}\n`),
  )
  const now = Date.now()
  const used = ({ id, quotaPer30Days }: Pick<ApiKey, 'id' | 'quotaPer30Days'>) =>
    quotaPer30Days === null ? null : usageAt(usageOf(id), now).used
  if (json) {
    for (const { sha256: _, scram: __, ...key } of keys) print(JSON.stringify({ ...key, used: used(key) }))
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
  printLines(alignColumns([HEADS, ...cells], [0, 1, 2]))
}

const numberOr = (value: number | null) => (value === null ? '-' : String(value))

const secondsOf = (instant: string) => `${instant.slice(0, 19)}Z`
