import { hash } from 'node:crypto'

const sourceOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`

/** The Content-Security-Policy of a page with one style and at most one script of its own; `others` are directives beside these. */
export function contentPolicy(script: string | undefined, style: string, others: readonly string[]): string {
  return [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${sourceOf(script)}`]),
    `style-src ${sourceOf(style)}`,
    'img-src data:',
    ...others,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
