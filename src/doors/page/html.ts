/** HTML that is written as it stands. */
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

/** A template in which every value that is no HTML yet is escaped; lists are joined, undefined is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + written(parts[index])).join(''))
}

function written(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (isList(part)) return part.map(written).join('')
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

function isList(part: Part): part is readonly Part[] {
  return Array.isArray(part)
}

/** Plain sentences in which `names` stand in backquotes. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`
}
