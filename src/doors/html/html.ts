/** HTML that needs no escaping. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | bigint | Html | undefined | readonly Part[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Template tag: escapes values other than `Html`, joins lists, and drops undefined. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + writePart(parts[index])).join(''))
}

function writePart(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (isList(part)) return part.map(writePart).join('')
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

function isList(part: Part): part is readonly Part[] {
  return Array.isArray(part)
}

/** Renders text with `names` in backquotes as code. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`
}
