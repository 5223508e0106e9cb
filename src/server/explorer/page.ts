import { html } from '../documents/page/html.ts'
import type { ExplorerFiles } from './built-files.ts'

/** Nothing but the files of this server, asked of nobody else, in no frame. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The document of every page; the script reads from its first element where it is and where to ask. */
export function explorerPage(files: ExplorerFiles | undefined, basePath: string, network: string): string {
  const loaded =
    files &&
    html`<link rel="stylesheet" href="${basePath}/explorer/${files.style}">
<script type="module" src="${basePath}/explorer/${files.script}"></script>`
  return html`<!doctype html>
<html lang="en" data-base="${basePath}" data-api="${basePath}/v1/${network}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>ledgerlake</title>
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
