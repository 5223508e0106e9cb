import { exportFormats } from '../../src/catalog/export-formats.ts'
import { exportColumns, type FlatType } from '../../src/catalog/records/flat-columns.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { generatedNote, inlineCode, list, markdownTable, page } from './markdown.ts'

interface TypeLine {
  readonly parquet: string
  readonly arrow: string
  readonly text: string
}

const text: TypeLine = { parquet: 'UTF8', arrow: 'utf8', text: 'the text' }
const int64: TypeLine = { parquet: 'INT64', arrow: 'int64', text: 'digits' }
const decimal = (scale: number, inText = 'exact decimal text'): TypeLine => ({
  parquet: `DECIMAL(38, ${scale})`,
  arrow: `decimal128(38, ${scale})`,
  text: inText,
})

const types: Readonly<Record<FlatType, TypeLine>> = {
  text,
  choice: text,
  uuid: text,
  bytes: { ...text, text: 'base64' },
  texts: { ...text, text: 'a JSON list of texts, as text' },
  json: { ...text, text: 'JSON, as text' },
  object: { ...text, text: 'a JSON object, as text' },
  amount: { parquet: 'UINT_64', arrow: 'uint64', text: 'digits' },
  long: int64,
  whole: int64,
  seconds: int64,
  cell: int64,
  integer: { parquet: 'INT32', arrow: 'int32', text: 'digits' },
  boolean: { parquet: 'BOOLEAN', arrow: 'bool', text: '`true` or `false`' },
  instant: { parquet: 'TIMESTAMP(MICROS, UTC)', arrow: 'timestamp[us, UTC]', text: 'ISO 8601, as in REST' },
  date: { parquet: 'DATE', arrow: 'date32', text: '`2025-02-13`' },
  decimal: decimal(18, 'digits, a number in NDJSON'),
  tokens: decimal(8),
  price: decimal(8),
  usd: decimal(16),
  count: decimal(0, 'digits'),
}

/** Writes the page of flat columns. */
export function flatColumnsPage(resources: readonly Resource[], prefix: string): string {
  return page(
    '# Columns of whole lists',
    generatedNote('`src/catalog/records/flat-columns.ts`'),
    `Every list is one flat table when it is asked for as a file (\`format\` or \`Accept\`), and for ${inlineCode('ledgerlake export')}: the columns of its table in the order of the lake, then what follows from them. Rows are those of the pages, in their order.`,
    markdownTable(
      ['Format', 'Media type', 'Description'],
      exportFormats.map(({ name, type, doc }) => [
        inlineCode(name),
        inlineCode(type.replace(/;.*/, '')),
        doc,
      ]),
    ),
    list([
      'A null is `null` in NDJSON and an empty cell without quotes in CSV; empty text is `""`.',
      'Parquet and Arrow have no room for a sum beyond 2^64 - 1; such a file is refused, and CSV and NDJSON have every digit.',
      'A bone is the smallest unit of a token; `formatted_` columns are in whole tokens.',
    ]),
    '## Types',
    markdownTable(
      ['Type', 'Parquet', 'Arrow', 'CSV and NDJSON'],
      Object.entries(types).map(([name, line]) => [inlineCode(name), line.parquet, line.arrow, line.text]),
    ),
    ...resources.flatMap((resource) => sectionOf(resource, prefix)),
  )
}

function sectionOf(resource: Resource, prefix: string): readonly string[] {
  if (resource.rest === undefined) return []
  const rows = exportColumns(resource).map(({ name, type, unit = '-', doc }) => [
    inlineCode(name),
    inlineCode(type),
    unit,
    doc,
  ])
  return [
    `## ${resource.name}`,
    inlineCode(`GET ${prefix}${resource.rest.path}?format=parquet`),
    markdownTable(['Column', 'Type', 'Unit', 'Meaning'], rows),
  ]
}
