/** Writers of Markdown for the reference pages. */
export { list, page } from '../../src/doors/documents/markdown.ts'

/** Names the source at the top of a page. */
export function generatedNote(source: string): string {
  return `Written by \`npm run reference\` from ${source}. Change that, not this page.`
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
