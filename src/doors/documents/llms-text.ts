import { listWords } from '../../base/list-words.ts'
import { writeJson } from '../../base/values/json-writer.ts'
import { plainFormats } from '../../catalog/export-formats.ts'
import type { OpenApiDocument, OperationObject } from '../open-api/paths/document-types.ts'
import { anchorOf, type ExampleOrigin, operationsIn } from './documented-operation.ts'
import { list, page } from './markdown.ts'
import { addressOf } from './reference/request-lines.ts'

/** `format=ndjson`, `csv`, and so on. */
const formats = listWords(
  plainFormats.map(({ name }, place) => (place === 0 ? `\`format=${name}\`` : `\`${name}\``)),
  'or',
)

/** Writes /llms.txt. `base` is the address of the server, `sharingPath` the path of Delta Sharing if enabled. */
export function llmsText(
  document: OpenApiDocument,
  base: string,
  shown: ExampleOrigin,
  sharingPath: string | undefined,
): string {
  const { info, tags } = document
  const areas = tags.flatMap(({ name, description }) => {
    const operations = operationsIn(document).filter(({ operation }) => operation.tags.includes(name))
    const links = operations.map(({ path, method, operation }) => {
      // Assistants follow links with GET; a server need not answer SQL.
      const isFollowed = method === 'get' && !needsOf(operation).includes('Sql')
      const address = isFollowed
        ? addressOf(path, operation)
        : `/docs#${anchorOf({ path, method, operation })}`
      return `[${operation.operationId}](${base}${escaped(address)}): \`${method.toUpperCase()} ${path}\`. ${notesOf(operation)}`
    })
    return [`## ${name}`, description, list(links)]
  })
  return page(
    `# ${info.title}`,
    `> ${info.summary}`,
    `The base address is ${base}. ${stateOf(shown)}`,
    list(String(info.description).split('\n\n')),
    'The records are described, member by member, in the OpenAPI document. A totals operation sums a whole range at ' +
      'once; do not add up pages. A question about one hotspot or account is a filter, not a walk over all pages.',
    tasks(document),
    ...areas,
    '## Documents',
    list([
      `[OpenAPI 3.1](${base}/openapi.json): every parameter, limit, reply and error, with examples`,
      `[OpenAPI 3.0](${base}/openapi-3.0.json): the same for older generators`,
      `[API reference](${base}/docs): the same for people`,
      `[GraphQL](${base}/graphql): an editor for queries, in a browser`,
      `\`${base}/mcp\`: lists, lookups, sums and status as tools of the Model Context Protocol, over streamable HTTP`,
      ...(sharingPath === undefined
        ? []
        : [`\`${base}${sharingPath}\`: whole tables as Parquet files, by the Delta Sharing protocol`]),
    ]),
  )
}

/** Tips for operations that replace many requests. */
function tasks({ paths }: OpenApiDocument): string {
  const pathOf = (end: string) => Object.keys(paths).find((path) => path.endsWith(end))
  return list([
    `Records with a name, key, address or hash, or with one that begins with a text, are one reply of \`${pathOf('/search')}\`, with the path of each record.`,
    'A series sums by day, week or month in a time zone, grouped, for an owner or for many hotspots, with USD: ask it rather than add up records.',
    `A whole list is one file with ${formats}, without pages, at the address of the list or below \`/files\`; \`Ledgerlake-Rows\` is its number of rows.`,
    `What hotspots earned by day is one CSV of \`${pathOf('/earnings')}\`, whose state tells a day without pay from one without data.`,
    `The pay of an owner in a year is one reply of \`${pathOf('/statement')}\`, which ties out with the totals and links a CSV for each token.`,
    `The header \`Ledgerlake-Missing\` says that a range lacks days or manifests; tell it with the figures. \`coverage=true\` and \`${pathOf('/status')}\` name the days. \`Ledgerlake-Unknown: hotspot_key=1\` says that nothing has that key: not that it earned nothing.`,
  ])
}

function stateOf(shown: ExampleOrigin): string {
  if (shown === 'nothing ingested') {
    return 'Nothing has been ingested yet: data operations answer 503 until something is.'
  }
  if (shown === 'key needed') {
    return 'A key is needed, and the links below show the form only; with a key that may read everything they are links to records.'
  }
  return `It answers from snapshot \`${shown.snapshot}\`, and the links below answer now.`
}

const needsOf = ({ security }: OperationObject) => Object.values(security[0] ?? {}).flat()

function notesOf(operation: OperationObject): string {
  const { summary, parameters = [], requestBody } = operation
  const names = parameters.map(({ name, required }) => (required ? `${name} (required)` : name))
  const bodies = Object.values(requestBody?.content['application/json']?.examples ?? {})
  const needs = needsOf(operation)
  return [
    `${summary}.`,
    ...bodies.map(
      ({ value }) => `The body is JSON: \`${writeJson(value).replaceAll(/([:,])(?=["[])/g, '$1 ')}\`.`,
    ),
    ...(names.length === 0 ? [] : [`Parameters: ${names.join(', ')}.`]),
    ...(needs.length === 0 ? [] : [`A key needs ${needs.join(' and ')}.`]),
  ].join(' ')
}

/** Brackets would end the link. */
function escaped(address: string): string {
  return address.replaceAll('(', '%28').replaceAll(')', '%29')
}
