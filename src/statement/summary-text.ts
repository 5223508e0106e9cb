import type { Json, JsonObject } from '../derive/json-writer.ts'

type Members = Readonly<Record<string, Json>>

const list = (value: Json | undefined) => (value ?? []) as unknown as readonly Members[]

/** The summary for people: what is missing first, then what was earned, how it ties out, files, snapshot and digest. */
export function summaryText(summary: JsonObject): string {
  const whose = summary.owner === undefined ? 'given keys' : `owner ${summary.owner}`
  return [
    `Statement of ${whose}, ${summary.from} to ${summary.to} (${summary.tz})`,
    '',
    ...missingLines(summary.missing as Members),
    '',
    ...list(summary.tokens).flatMap(tokenLines),
    ...list(summary.totals).flatMap(totalsLines),
    'Hotspots',
    ...list(summary.hotspots).map(
      (one) =>
        `  ${one.hotspot_key} ${one.hotspot_name ?? '(no name)'}: ${one.rows} rewards, ${one.from} to ${one.to}`,
    ),
    '',
    'Files',
    ...list(summary.files).map(
      ({ name, rows, bytes, sha256 }) => `  ${name}: ${rows} rows, ${bytes} bytes, SHA-256 ${sha256}`,
    ),
    '',
    ...(summary.notes as readonly string[]),
    '',
    `Snapshot ${summary.snapshot}; the same request with --as-of ${summary.snapshot} gives the same bytes.`,
    `Digest ${summary.digest}`,
    '',
  ].join('\n')
}

function missingLines(missing: Members): readonly string[] {
  const days = ({ first, last }: Members) => (first === last ? `${first}` : `${first} to ${last}`)
  const lines = [
    ...list(missing.days).map((run) => `  ${run.network}: no rewards of anybody are in for ${days(run)}`),
    ...list(missing.files).map(
      (run) => `  ${run.network}: a file that a manifest names is not in for ${days(run)}`,
    ),
    ...list(missing.manifests).map(
      (run) =>
        `  ${run.network}: no manifest for files of ${days(run)}, so their token and price are unknown`,
    ),
    ...list(missing.prices).map((run) => `  ${run.token}: no price for ${days(run)}`),
    ...(missing.unknown_keys as readonly string[]).map((key) => `  ${key}: no table knows this key`),
    ...(missing.l1_rewards === true ? ['  l1: the lake holds no rewards of L1'] : []),
  ]
  return lines.length === 0 ? ['Nothing is missing.'] : ['MISSING', ...lines]
}

function tokenLines(token: Members): readonly string[] {
  return [
    `Earned in ${token.token}`,
    ...list(token.months).map((month) => `  ${month.month}  ${sumText(month)}`),
    `  in all   ${sumText(token)}`,
    '',
  ]
}

function sumText({ earned, formatted_earned: tokens, usd, usd_of_priced: priced, rows }: Members): string {
  const dollars = usd === null ? `${priced} USD and what has no price` : `${usd} USD (oracle price)`
  return `${tokens ?? 'unknown'} tokens (${earned} bones), ${dollars}, ${rows} rewards`
}

function totalsLines(tie: Members): readonly string[] {
  const sums = (members: Json | undefined, sign: string) =>
    Object.entries(members as Members).map(([name, sum]) => `  ${sign} ${name} ${sum}`)
  const range = `from=${tie.from}&to=${tie.to}`
  const query = tie.network === 'l1' ? `interval=all&${range}&gateway_address=KEY` : range
  return [
    `Ties out with GET ${tie.path}?${query} for each of ${tie.hotspots} hotspots`,
    ...sums(tie.totals, ' '),
    ...sums(tie.left_out, '+'),
    ...(tie.only_in_totals === '0' ? [] : [`  - of days outside the statement ${tie.only_in_totals}`]),
    ...(tie.only_here === '0' ? [] : [`  + of epochs that end outside that range ${tie.only_here}`]),
    `  = earned ${tie.earned}`,
    '',
  ]
}
