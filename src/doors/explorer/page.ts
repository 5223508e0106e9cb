import { html } from '../html/html.ts'
import type { BuiltFile } from './built-files.ts'
import { installLinks } from './install.ts'

/** Allows files and requests of this server only. */
export const explorerPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface PageLocation {
  readonly basePath: string
  readonly network: string
}

/** Renders a page; its script reads the addresses from the root element. Without an entry the page only links the documents. */
export function explorerPage(entry: BuiltFile | undefined, { basePath, network }: PageLocation): string {
  const loaded =
    entry &&
    html`${entry.styles.map((name) => html`<link rel="stylesheet" href="${basePath}/explorer/${name}">`)}
<script type="module" src="${basePath}/explorer/${entry.script}"></script>`
  return html`<!doctype html>
<html lang="en" data-base="${basePath}" data-api="${basePath}/v1/${network}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${Object.entries(installLinks(basePath)).map(
  ([relation, address]) => html`<link rel="${relation}" href="${address}">
`,
)}<title>ledgerlake</title>
${loaded}
</head>
<body>
<noscript>
<h1>ledgerlake</h1>
<p>This page needs JavaScript. Everything that it shows can be asked without:</p>
<ul>
<li><a href="${basePath}/docs">/docs</a>: every operation, with examples</li>
<li><a href="${basePath}/openapi.json">/openapi.json</a>, <a href="${basePath}/llms.txt">/llms.txt</a>: the same for programs and assistants</li>
<li><a href="${basePath}/graphql">/graphql</a>: GraphQL</li>
</ul>
</noscript>
</body>
</html>
`.text
}
