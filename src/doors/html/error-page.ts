import { STATUS_CODES } from 'node:http'
import type { ErrorCode, ServiceError } from '../../base/errors.ts'
import { contentPolicy } from './content-policy.ts'
import { type Html, html, prose } from './html.ts'
import { documentOf } from './html-document.ts'
import { pageStyles } from './styles.ts'

export interface ShownError {
  readonly error: ServiceError
  readonly status: number
  readonly requestId: string
  /** Path prefix of the server. */
  readonly basePath: string
  /** Seconds of Retry-After. */
  readonly seconds: number | undefined
  readonly nearest: string | undefined
}

const styles = `${pageStyles}
nav a { margin-right: 0.75rem } main dl { margin: 0 0 1rem; max-width: 42rem } .facts { color: var(--soft); margin-top: 2rem }
.facts dt { float: left; clear: left; width: 7rem; margin: 0; font-size: 0.925rem } .facts dd { margin-left: 7rem }
`

/** Allows inline content only. */
export const errorPolicy = contentPolicy(undefined, styles, ["form-action 'none'"])

/** Renders an error for browsers; text of clients is escaped. */
export function errorPage(shown: ShownError): string {
  const { error, status, requestId, basePath, seconds, nearest } = shown
  const title = `${status} ${STATUS_CODES[status]}`
  return documentOf(
    `${title}: ledgerlake`,
    styles,
    html`<nav aria-label="Pages"><a href="${basePath}/">Explorer</a> <a href="${basePath}/docs">Reference</a> <a href="${basePath}/guide">Guide</a></nav>
<main>
<h1>${title}</h1>
${errorText(error)}
${nearest === undefined ? '' : html`<p>Open <a href="${nearest}">${nearest}</a></p>`}
${hints[error.code]?.(basePath)}
${seconds === undefined ? '' : html`<p>Ask again in ${seconds} seconds.</p>`}
<dl class="facts"><dt>Code</dt><dd><code>${error.code}</code></dd>
<dt>Request id</dt><dd><code>${requestId}</code></dd></dl>
</main>`,
  )
}

/** Renders the message, or the faults of parameters that it consists of. */
function errorText({ message, faults }: ServiceError): Html {
  if (faults.length === 0) return html`<p>${prose(message)}</p>`
  const entries = faults.map((fault) => html`<dt><code>${fault.param}</code></dt><dd>${fault.message}</dd>`)
  return html`<p>Errors, with what is expected:</p><dl>${entries}</dl>`
}

/** Additional help for some errors. */
const hints: Readonly<Partial<Record<ErrorCode, (basePath: string) => Html>>> = {
  authentication_required: (basePath) => html`<p>A browser cannot send a key from its address bar. The
<a href="${basePath}/">explorer</a> asks for one, and the <a href="${basePath}/docs">reference</a> has a field for it. A program sends it in a header:</p>
<pre tabindex="0">curl -H "Authorization: Bearer KEY" ADDRESS</pre>
<p>The operator of this server gives out keys.</p>`,
}
