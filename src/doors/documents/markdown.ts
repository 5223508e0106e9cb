/** Joins paragraphs of Markdown to a page. */
export function page(...blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}
