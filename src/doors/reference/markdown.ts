/** Writers of Markdown for the reference pages. */

/** Names the source at the top of a page. */
export function generatedNote(source: string): string {
  return `Written by \`npm run reference\` from ${source}. Change that, not this page.`
}

export function page(...blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = heads.map(() => '---')
  return [heads, rule, ...rows].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n')
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}

export function inlineCode(text: string): string {
  return `\`${text}\``
}
