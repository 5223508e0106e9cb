import { code, page, table, written } from './markdown.ts'

/** Which room imports which, as a printed graph, and the folders that import each outside package. */
export function folderGraphPage(graph: string, packages: ReadonlyMap<string, readonly string[]>): string {
  const folderOf = (folder: string) => code(folder === '.' ? 'src' : `src/${folder}`)
  const rows = [...packages].map(([name, folders]) => [code(name), folders.map(folderOf).join(', ')])
  return page(
    '# Folder graph',
    written('the imports in `src`'),
    'Which folder or file directly below `src` imports which. A test keeps the arrows from running in a ring.',
    `\`\`\`text\n${graph}\n\`\`\``,
    '## Outside packages',
    'Each one comes in by one doorway.',
    table(['Package', 'Imported in'], rows),
  )
}
