import { isList } from '../../../base/values/json-writer.ts'
import { prettyJson } from '../../../base/values/pretty-json.ts'
import { type Html, html, prose } from '../../html/html.ts'
import type { Content, OpenApiDocument, Parameter, Response } from '../../open-api/paths/document-types.ts'
import { anchorOf, type Bases, type DocumentedOperation } from '../documented-operation.ts'
import { addressOf, curlOf } from './request-lines.ts'
import { limitsOf, memberEntry, schemaMembers, typeOf } from './schema-view.ts'

/** Renders an operation: description on one side, request and reply on the other. */
export function operationSection(
  documented: DocumentedOperation,
  bases: Bases,
  { components }: OpenApiDocument,
): Html {
  const { path, method, operation } = documented
  const { summary, description, parameters = [], responses } = operation
  const namedResponses = Object.entries(responses).flatMap(([status, response]): [string, Response][] => {
    const named = '$ref' in response ? components.responses[response.$ref.split('/').at(-1) ?? ''] : response
    return named === undefined ? [] : [[status, named]]
  })
  const good = namedResponses.find(([status]) => status === '200')?.[1]
  const content = Object.values(good?.content ?? {})[0]
  return html`<section id="${anchorOf(documented)}" class="operation">
<div class="told">
<h3><a href="#${anchorOf(documented)}">${summary}</a></h3>
<p class="address"><b class="${method}">${method.toUpperCase()}</b> <code>${path}</code></p>
<p>${prose(description)}</p>
${parameters.length === 0 ? '' : html`<h4>Parameters</h4><dl>${parameters.map(parameterEntry)}</dl>`}
${content === undefined ? '' : replyView(content)}
<h4>Errors</h4>
${namedResponses.filter(([status]) => !status.startsWith('2')).map(([status, response]) => errorView(status, response))}
</div>
<div class="shown">
${figure('Request', curlOf(bases.url, path, method, operation))}
${content === undefined ? '' : exampleView(content, method === 'get' ? bases.path + addressOf(path, operation) : undefined)}
${sendForm(documented, bases)}
</div>
</section>
`
}

function parameterEntry({ name, in: place, required, description, schema }: Parameter): Html {
  const mark = required
    ? html`<span class="required">required${place === 'path' ? ', in the path' : ''}</span>`
    : ''
  return memberEntry(html`<code>${name}</code>`, schema, description, mark)
}

function replyView({ schema }: Content): Html {
  const isInline = schema.properties !== undefined
  return html`<h4>Reply</h4>${isInline ? schemaMembers(schema) : html`<p>${typeOf(schema)}</p>${limitsOf(schema)}`}`
}

function errorView(status: string, { description, content }: Response): Html {
  const examples = Object.values(content?.['application/json']?.examples ?? {})
  return html`<details><summary><b>${status}</b> <span>${prose(description)}</span></summary>
${examples.map(({ value }) => html`<pre tabindex="0">${prettyJson(value)}</pre>`)}</details>
`
}

function figure(caption: string, text: string, link: Html | '' = ''): Html {
  return html`<figure><figcaption>${caption} ${link}</figcaption><pre tabindex="0">${text}</pre></figure>`
}

function exampleView({ examples = {} }: Content, address: string | undefined): Html | '' {
  const [example] = Object.values(examples)
  if (example === undefined) return ''
  const link = address === undefined ? '' : html`<a href="${address}">open</a>`
  return figure(`Reply: ${example.summary}`, prettyJson(example.value), link)
}

/** The form is hidden without JavaScript. */
function sendForm({ path, method, operation }: DocumentedOperation, bases: Bases): Html {
  const { parameters = [], requestBody } = operation
  const body = Object.values(requestBody?.content['application/json']?.examples ?? {})[0]
  return html`<form data-path="${bases.path}${path}" data-method="${method}" hidden>
<details><summary>Send it</summary>
${parameters.map(field)}
${body === undefined ? '' : html`<label>body <textarea name="body" rows="4">${prettyJson(body.value)}</textarea></label>`}
<button>Send</button> <output></output>
<pre tabindex="0" aria-label="Reply" hidden></pre>
</details></form>`
}

function field({ name, required, schema, example }: Parameter): Html {
  const value = example === undefined ? '' : typeof example === 'string' ? example : prettyJson(example)
  // The document allows one value of some parameters; the server takes more.
  const choices = isList(schema.enum) && schema.enum.length > 1 ? schema.enum.map(String) : undefined
  const mark = required ? html` required` : ''
  if (choices === undefined)
    return html`<label>${name} <input name="${name}" value="${value}" spellcheck="false" autocomplete="off"${mark}></label>`
  const options = ['', ...choices].map((choice) => html`<option>${choice}</option>`)
  return html`<label>${name} <select name="${name}">${options}</select></label>`
}
