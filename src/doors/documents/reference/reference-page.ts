import { contentPolicy } from '../../html/content-policy.ts'
import { Html, html, prose } from '../../html/html.ts'
import { documentOf } from '../../html/html-document.ts'
import { pageStyles } from '../../html/styles.ts'
import type { OpenApiDocument } from '../../open-api/paths/document-types.ts'
import {
  anchorOf,
  type Bases,
  type DocumentedOperation,
  type ExampleOrigin,
  operationsIn,
} from '../documented-operation.ts'
import { operationSection } from './operation-section.ts'
import { schemaMembers, typeOf } from './schema-view.ts'
import { pageScript } from './script.ts'

/** Allows inline content and requests to this server only. */
export const pagePolicy = contentPolicy(pageScript, pageStyles, ["connect-src 'self'", "form-action 'none'"])

/** Renders the reference page of a document. */
export function referencePage(document: OpenApiDocument, bases: Bases, shown: ExampleOrigin): string {
  const { tags, info, components } = document
  const operations = operationsIn(document)
  const ofArea = (name: string) => operations.filter(({ operation }) => operation.tags.includes(name))
  return documentOf(
    `${info.title}: API reference`,
    pageStyles,
    html`<a class="skip" href="#start">To the text</a>
<nav id="contents" aria-label="Operations">
<a href="${bases.path}/">${String(info.title)}</a> <a href="${bases.path}/guide">Guide</a> <a class="all" href="#contents">All operations</a>
<div class="contents">
${tags.map(
  ({ name }) =>
    html`<strong>${name}</strong><ul>${ofArea(name).map(
      (one) => html`<li><a href="#${anchorOf(one)}">${labelOf(one)}</a></li>
`,
    )}</ul>`,
)}
<details><summary>Records</summary><ul>${Object.keys(components.schemas).map(
      (name) => html`<li><a href="#${name}">${name}</a></li>
`,
    )}</ul></details>
</div>
</nav>
<main id="start">
<h1>API reference</h1>
<p>${String(info.summary)}</p>
<p>${prose(sourceText(shown))} For programs: <a href="${bases.path}/openapi.json">openapi.json</a>; for assistants: <a href="${bases.path}/llms.txt">llms.txt</a>.</p>
${String(info.description)
  .split('\n\n')
  .map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
<div class="key" hidden><label>API key <input id="key" type="password" autocomplete="off"
 placeholder="stays in this field"></label></div>
${tags.map(
  ({ name, description }) => html`<div class="area"><h2>${name}</h2><p>${description}</p></div>
${ofArea(name).map((one) => operationSection(one, bases, document))}`,
)}
<div class="area"><h2>Records</h2><p>Records in replies. A member that is not marked as null always has a value.</p></div>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<section id="${name}" class="schema"><h3><a href="#${name}">${name}</a></h3>
<p>${prose(String(schema.description ?? ''))}</p>
${schema.properties === undefined && schema.anyOf === undefined ? html`<p>${typeOf(schema)}</p>` : schemaMembers(schema)}</section>
`,
)}
<a class="up" href="#contents">Contents</a>
</main>
<script>${new Html(pageScript)}</script>`,
  )
}

/** Label of an operation: the path after version and network. */
function labelOf({ path, method }: DocumentedOperation): string {
  const label = path.replace(/^\/v1\/[^/]+/, '')
  return method === 'get' ? label : `${label} (${method.toUpperCase()})`
}

function sourceText(shown: ExampleOrigin): string {
  if (shown === 'nothing ingested')
    return 'Nothing has been ingested yet, so the examples show the form only.'
  if (shown === 'key needed') {
    return 'The examples show the form only; request this page with a key that may read everything to see records.'
  }
  return `The examples are requests to this server with its replies, from snapshot \`${shown.snapshot}\`.`
}
