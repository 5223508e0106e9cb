import type { Kind } from '../../src/catalog/column.ts'
import type { Derivation, Member, Nested, RecordMembers } from '../../src/catalog/members.ts'
import { rangeOfDays } from '../../src/catalog/query/paid-days.ts'
import { idMeaning, memberMeaning, totalMeaning } from '../../src/catalog/records/member-meaning.ts'
import type { Embedding, Resource, RestFace } from '../../src/catalog/resource.ts'
import { operationsOf } from '../../src/doors/contract/operations.ts'
import { type Operation, parametersOf, specifiedQueries } from '../../src/doors/contract/query-schema.ts'
import { daysRule, earnedRule, usdRule } from '../../src/doors/contract/series-meta.ts'
import { commonParameters } from '../../src/doors/open-api/paths/parameters.ts'
import { seriesParameters } from '../../src/doors/open-api/paths/series-parameters.ts'
import { metaForms } from '../../src/doors/open-api/schemas/reply-forms.ts'
import { generatedNote, inlineCode, list, markdownTable, page } from './markdown.ts'

interface KindLine {
  readonly parquet: string
  readonly json: string
  readonly meaning: string
}

const kinds: Readonly<Record<Kind, KindLine>> = {
  text: { parquet: 'BYTE_ARRAY UTF8', json: 'string', meaning: 'Text, ordered by bytes.' },
  choice: {
    parquet: 'BYTE_ARRAY UTF8',
    json: 'string',
    meaning: 'Text out of a known list; a number that is not yet known is kept as its digits.',
  },
  amount: {
    parquet: 'FIXED_LEN_BYTE_ARRAY(16) DECIMAL(20, 0)',
    json: 'integer',
    meaning: 'Unsigned 64-bit integer; tokens are counted in their smallest unit, bones.',
  },
  long: { parquet: 'INT64', json: 'integer', meaning: 'Signed 64-bit integer.' },
  whole: { parquet: 'INT64', json: 'integer', meaning: 'Integer from 0 to 2^63 - 1.' },
  integer: { parquet: 'INT32', json: 'integer', meaning: 'Signed 32-bit integer.' },
  decimal: {
    parquet: 'FIXED_LEN_BYTE_ARRAY(16) DECIMAL(38, 18)',
    json: 'number',
    meaning: '38 digits, 18 of them after the point; what comes after them is cut off.',
  },
  instant: {
    parquet: 'INT64 TIMESTAMP(MICROS, UTC)',
    json: 'string',
    meaning: 'Point in time. In JSON `2026-07-01T00:00:00Z`, with a fraction only when there is one.',
  },
  seconds: { parquet: 'INT64', json: 'integer', meaning: 'Whole seconds since 1970, UTC.' },
  cell: { parquet: 'INT64', json: 'integer', meaning: 'H3 index.' },
  uuid: { parquet: 'BYTE_ARRAY UTF8', json: 'string', meaning: 'UUID in lower case.' },
  boolean: { parquet: 'BOOLEAN', json: 'boolean', meaning: 'True or false.' },
  bytes: { parquet: 'BYTE_ARRAY', json: 'string', meaning: 'Bytes; base64 in JSON.' },
  texts: { parquet: 'LIST of BYTE_ARRAY UTF8', json: 'array of strings', meaning: 'List of texts.' },
  json: { parquet: 'BYTE_ARRAY UTF8', json: 'any', meaning: 'JSON; the value itself in a reply.' },
  object: { parquet: 'BYTE_ARRAY UTF8', json: 'object', meaning: 'JSON object, in a reply as it came.' },
}

export function parquetTypeOf(kind: Kind): string {
  return kinds[kind].parquet
}

const derivations: Readonly<Record<Derivation, string>> = {
  formatted: 'string',
  offloaded_bytes: 'integer',
  number: 'number',
  truncated: 'integer',
}

const describedCommon = commonParameters(specifiedQueries, 'number')

/** Describes a parameter that is not a filter, with its limits. */
function commonMeaning(name: string): string {
  const { description = '', schema: { type, minimum, maximum, default: unlessGiven } = {} } =
    describedCommon[name] ?? {}
  const meaning =
    type === 'integer' ? description.replace(/\.$/, `, from ${minimum} to ${maximum}.`) : description
  return unlessGiven === undefined ? meaning : `${meaning} Default ${unlessGiven}.`
}

const metaRows = Object.entries(metaForms).map(([name, { description }]) => [
  inlineCode(name),
  'integer',
  description,
])

function requiredText(resource: Resource, name: string): string {
  if (resource.filters?.[name]?.required) return rangeOfDays(resource) === undefined ? 'yes' : 'or days'
  return 'no'
}

/** Writes the page of tables and operations below `prefix`, such as `/v1/net`. */
export function resourcesPage(resources: readonly Resource[], prefix: string): string {
  const contents = resources.map(({ name, doc, rest }) => [
    `[${name}](#${name})`,
    doc,
    rest === undefined ? 'no' : inlineCode(prefix + rest.path),
  ])
  const kindRows = Object.entries(kinds).map(([kind, { parquet, json, meaning }]) => [
    inlineCode(kind),
    parquet,
    json,
    meaning,
  ])
  return page(
    '# Resources',
    generatedNote('the catalog, `src/catalog`'),
    'A resource is a declared table. Each one is a Delta table in the folder of its name in the lake; some can also ' +
      'be asked over REST.',
    markdownTable(['Table', 'Holds', 'REST'], contents),
    '## Kinds',
    'What a value is, in the data files and in JSON replies. All columns of the data files are OPTIONAL in the ' +
      'sense of Parquet; the column *Null* below says which ones ever hold a null.',
    markdownTable(['Kind', 'Parquet type', 'JSON', 'Meaning'], kindRows),
    '## Replies',
    'Addresses below have the default of the setting `network`, see [Settings](settings.md). A list replies with ' +
      '`meta` and one page of records; what goes wrong is in [Errors](errors.md).',
    markdownTable(['Member of `meta`', 'JSON', 'Meaning'], metaRows),
    ...resources.flatMap((resource) => resourceSections(resource, prefix)),
  )
}

function resourceSections(resource: Resource, prefix: string): readonly string[] {
  const columns = Object.entries(resource.columns).map(([name, { kind, nullable, doc, choices }]) => [
    inlineCode(name),
    kind,
    kinds[kind].parquet,
    nullable ? 'yes' : 'no',
    choices === undefined ? doc : `${doc} One of ${choices.map(inlineCode).join(', ')}.`,
  ])
  return [
    `## ${resource.name}`,
    resource.doc,
    list([
      ...arrivalLine(resource),
      ...stateLine(resource),
      orderLine(resource),
      partitionLine(resource),
      ...statisticsLine(resource),
      ...columnIndexesLine(resource),
    ]),
    markdownTable(['Column', 'Kind', 'Parquet type', 'Null', 'Meaning'], columns),
    ...(resource.rest === undefined ? [] : restSections(resource, resource.rest, prefix)),
    ...recordSections(resource),
  ]
}

function arrivalLine({ arrival }: Resource): readonly string[] {
  if (arrival === undefined) return []
  if (arrival.as === 'messages') {
    const names = arrival.prefixes.map((prefix) => inlineCode(`${prefix}.*.gz`)).join(' or ')
    return [`Arrives as messages of oracles, in files named ${names}.`]
  }
  if (arrival.as === 'records')
    return [`Arrives as records in JSON, in files whose name begins with ${inlineCode(arrival.name)}.`]
  const cells = Object.keys(arrival.cells).map(inlineCode).join(', ')
  return [`Arrives as CSV in the folder ${inlineCode(arrival.folder)}, with these cells: ${cells}.`]
}

function stateLine({ holds, key }: Resource): readonly string[] {
  if (holds !== 'state' || key === undefined) return []
  return [`One row for each ${inlineCode(key)}: what comes later takes the place of what was there.`]
}

function orderLine({ order }: Resource): string {
  const steps = order.map((step) => `${inlineCode(step.column)}${step.descending ? ' (newest first)' : ''}`)
  return `Order: ${steps.join(', ')}.`
}

function partitionLine({ partition }: Resource): string {
  if (partition === null) return 'Partition: none.'
  const { by, of } = partition
  const name = by === 'month' ? '`YYYY-MM`, UTC' : 'the first of 100,000 blocks in ten digits'
  return `Partition: ${inlineCode(by)} of ${inlineCode(of)}, ${name}; a value of the log, not a column of the files.`
}

function statisticsLine({ statistics }: Resource): readonly string[] {
  if (statistics === undefined) return []
  return [
    `The log carries the count and the sum of every amount for each ${inlineCode(statistics.period)} and ${inlineCode(statistics.type)}.`,
  ]
}

function columnIndexesLine({ access, keyed }: Resource): readonly string[] {
  const { sorted = [], pointers = [] } = access ?? {}
  const lines = [
    ...(sorted.length > 0 ? [`indexes by ${sorted.map(inlineCode).join(', ')}`] : []),
    ...(keyed === undefined ? [] : [`the rows of each ${inlineCode(keyed)} in the index by hotspot`]),
    ...(pointers.length > 0 ? [`pointers from ${pointers.map(inlineCode).join(', ')}`] : []),
  ]
  return lines.length === 0 ? [] : [`In the state folder, for filters: ${lines.join('; ')}.`]
}

function restSections(resource: Resource, rest: RestFace, prefix: string): readonly string[] {
  const listed = parametersOf(resource, 'list')
  const summed = rest.totals === undefined ? [] : parametersOf(resource, 'totals')
  const lookupParameters = rest.find === undefined ? [] : parametersOf(resource, 'find')
  const keys = ['`id`', ...(rest.find?.by.map(inlineCode) ?? [])].join(' or ')
  const replies: Readonly<Record<Operation, string>> = {
    list: `\`{ meta, ${rest.envelope} }\``,
    find: `the record of that ${keys}`,
    totals: 'the totals below',
    series: '`{ meta, records }`',
    daily: '`{ records }`',
    providers: '`{ records }`',
  }
  const operations = operationsOf([resource]).map(({ id, kind, path }) => [
    inlineCode(id),
    inlineCode(`GET ${prefix}${path}`),
    replies[kind],
  ])
  const parameters = listed.map((name) => [
    inlineCode(name),
    [['list'], summed.includes(name) ? ['totals'] : [], lookupParameters.includes(name) ? ['lookup'] : []]
      .flat()
      .join(', '),
    requiredText(resource, name),
    resource.filters?.[name]?.doc ?? commonMeaning(name),
  ])
  const totals = Object.entries(resource.totals ?? {}).map(([name, member]) => [
    inlineCode(name),
    totalMeaning(member, inlineCode),
  ])
  return [
    `### REST: ${rest.path}`,
    `${rest.summary}.${needsOf(rest)}`,
    markdownTable(['Operation', 'Address', 'Reply'], operations),
    markdownTable(['Parameter', 'Taken by', 'Required', 'Meaning'], parameters),
    ...(totals.length === 0
      ? []
      : [
          'Totals are integers, exact and of any size; over nothing they are 0.',
          markdownTable(['Total', 'Sum of'], totals),
        ]),
    ...seriesSections(resource),
  ]
}

function seriesSections(resource: Resource): readonly string[] {
  if (resource.series === undefined) return []
  const parameters = Object.entries(seriesParameters(resource)).map(([name, { description }]) => [
    inlineCode(name),
    description,
  ])
  const sums = Object.entries(resource.series.sums).map(([name, member]) => [
    inlineCode(name),
    totalMeaning(member, inlineCode),
  ])
  return [
    `A series has a row for each step, token and group: ${['start', 'token', 'group', 'earned', 'formatted_earned', 'usd'].map(inlineCode).join(', ')}, and the sums below, amounts with their \`formatted_…\` twins. It takes the filters of totals, and:`,
    markdownTable(['Parameter', 'Meaning'], parameters),
    markdownTable(['Sum', 'Of'], sums),
    [daysRule(resource), earnedRule(resource), usdRule(resource)].join(' '),
  ]
}

function needsOf({ needs = [], totalsNeed = [] }: RestFace): string {
  const sentence = needs.length === 0 ? '' : ` A key needs ${needs.join(' and ')}.`
  return totalsNeed.length === 0
    ? sentence
    : `${sentence} For totals a key needs ${totalsNeed.join(' and ')}.`
}

const embeddings: Readonly<Record<Embedding, string>> = {
  manifest:
    'The [record of the manifest](#record-of-reward_manifests) that names the source file; null while it is unknown.',
  maker:
    'The [record of the maker](#record-of-makers), or what the import brought of it; null while it is unknown.',
}

function recordSections(resource: Resource): readonly string[] {
  const { name, record, variants, embeds } = resource
  if (record === undefined) return []
  const id = ['`id`', 'string', idMeaning(resource, inlineCode)]
  const embedded = Object.entries(embeds ?? {}).map(([name, embedding]) => [
    inlineCode(name),
    'object',
    embeddings[embedding],
  ])
  const members: (readonly string[])[] = [id, ...memberRows(resource, record), ...embedded]
  if (variants !== undefined) {
    members.push([
      inlineCode(variants.as),
      'object',
      `One of the variants below; ${inlineCode(variants.on)} chooses.`,
    ])
  }
  const cases = Object.entries(variants?.cases ?? {}).flatMap(([variant, own]) => [
    `${inlineCode(variants?.as ?? '')} of ${inlineCode(variant)}:`,
    markdownTable(['Member', 'JSON', 'Meaning'], memberRows(resource, own)),
  ])
  return [`### Record of ${name}`, markdownTable(['Member', 'JSON', 'Meaning'], members), ...cases]
}

function memberRows(resource: Resource, members: RecordMembers, within = ''): readonly (readonly string[])[] {
  return Object.entries(members).flatMap(([name, member]: readonly [string, Member | Nested]) =>
    typeof member === 'object' && 'members' in member
      ? memberRows(resource, member.members, `${within}${name}.`)
      : [[inlineCode(within + name), ...memberCells(resource, member)]],
  )
}

function memberCells(resource: Resource, member: Member): readonly string[] {
  const kind = typeof member === 'string' ? resource.columns[member]?.kind : undefined
  const json = typeof member === 'string' ? kind && kinds[kind].json : derivations[member.derive]
  return [json ?? '', memberMeaning(resource, member, inlineCode)]
}
