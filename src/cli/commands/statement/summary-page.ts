import { type Json, type JsonObject, membersOf } from '../../../base/values/json-writer.ts'
import { type Html, html } from '../../../doors/html/html.ts'
import { documentOf } from '../../../doors/html/html-document.ts'
import { objectsIn, textsIn } from './json-lists.ts'
import { moneyLines, titleOf } from './money-text.ts'
import { missingLines, priceLines, titleLine } from './summary-text.ts'

const styles = `
@page { margin: 16mm }
body { font: 11pt/1.4 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin: 1.5rem 0 0.3rem; break-after: avoid }
table { border-collapse: collapse; width: 100% } thead { display: table-header-group } tr { break-inside: avoid }
td { text-align: left; padding: 0.15rem 0.6rem 0.15rem 0; border-bottom: 1px solid #ccc; vertical-align: top }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap } .sum td, .head td { font-weight: 600 }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 9pt } }
`

/** Renders the summary as a page to print: money, missing data, hotspots and files. It loads nothing. */
export function summaryPage(summary: JsonObject): string {
  const { currency } = membersOf(summary.prices)
  const [missing = '', ...gaps] = missingLines(summary).map((line) => line.trim())
  const lines = (values: readonly string[]) => values.map((line) => html`<p>${line}</p>`)
  return documentOf(
    titleLine(summary),
    styles,
    html`<main>
<h1>${titleLine(summary)}</h1>
${lines(priceLines(membersOf(summary.prices)))}
<h2>${missing}</h2>
<ul>${gaps.map((line) => html`<li>${line}</li>`)}</ul>
<h2>Earned</h2>
${table(
  ['Token', 'Month'],
  ['Amount', 'USD', ...(currency === undefined ? [] : [currency]), 'Rewards'],
  objectsIn(summary.tokens).flatMap((token) => tokenRows(token, currency !== undefined)),
)}
${lines(moneyLines(summary).filter((line) => line !== ''))}
<h2>Hotspots</h2>
${table(['Name', 'Key'], ['From', 'To', 'Rewards'], objectsIn(summary.hotspots).map(hotspotRow))}
<h2>Files</h2>
${table(
  ['File', 'SHA-256'],
  ['Rows'],
  objectsIn(summary.files).map(({ name, sha256, rows }) => row([name, sha256], [rows])),
)}
<h2>Notes</h2>
${lines(textsIn(summary.notes))}
<p>Snapshot ${`${summary.snapshot}`}. Digest of summary.json: ${`${summary.digest}`}.</p>
</main>`,
  )
}

type Cells = readonly (Json | undefined)[]

function table(words: Cells, numbers: Cells, rows: readonly Html[]): Html {
  return html`<table><thead>${row(words, numbers, 'head')}</thead><tbody>${rows}</tbody></table>`
}

/** A row of texts, then of numbers and days; `name` is its class. */
function row(words: Cells, numbers: Cells, name = ''): Html {
  const cell = (value: Json | undefined, kind: string) => html`<td class="${kind}">${`${value ?? ''}`}</td>`
  return html`<tr class="${name}">${words.map((word) => cell(word, ''))}${numbers.map((number) => cell(number, 'number'))}</tr>`
}

function tokenRows(token: JsonObject, isValued: boolean): readonly Html[] {
  const money = (sum: JsonObject) => [
    sum.formatted_earned ?? `${sum.earned} bones`,
    sum.usd ?? 'unknown',
    ...(isValued ? [sum.value ?? 'unknown'] : []),
    sum.rows,
  ]
  const months = objectsIn(token.months).map((sum) => row([titleOf(token.token), sum.month], money(sum)))
  return [...months, row([titleOf(token.token), 'in all'], money(token), 'sum')]
}

const hotspotRow = ({ hotspot_name: name, hotspot_key: key, from, to, rows }: JsonObject) =>
  row([name ?? '(no name)', key], [from, to, rows])
