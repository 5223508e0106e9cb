import { hash } from 'node:crypto'

const sourceOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`

/** Content-Security-Policy of a page with one inline style and at most one inline script, plus directives and sources of pictures. */
export function contentPolicy(
  script: string | undefined,
  style: string,
  directives: readonly string[],
  ...pictures: readonly string[]
): string {
  return [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${sourceOf(script)}`]),
    `style-src ${sourceOf(style)}`,
    ['img-src data:', ...pictures].join(' '),
    ...directives,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
