import { Html, html } from './html.ts'

/** Renders a document that loads nothing. */
export function documentOf(title: string, styles: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${new Html(styles)}</style>
</head>
<body id="top">
${body}
</body>
</html>
`.text
}
