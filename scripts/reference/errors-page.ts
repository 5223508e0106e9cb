import type { errorTable } from '../../src/base/errors.ts'
import { generatedNote, inlineCode, markdownTable, page } from './markdown.ts'

/** Writes the page of errors. */
export function errorsPage(errors: typeof errorTable): string {
  const rows = Object.entries(errors).map(([name, { status, exit, meaning }]) => [
    inlineCode(name),
    String(status),
    String(exit),
    meaning,
  ])
  return page(
    '# Errors',
    generatedNote('the error table, `src/base/errors.ts`'),
    'Error responses of REST have a message and a machine-readable code: `{ "error": "<sentence>", "code": "<code>" }`. Where parameters are wrong, ' +
      '`errors` lists all of them as `{ "param", "message" }`. The command prints the same sentence and leaves with ' +
      'the exit code; 0 means that all went well.',
    markdownTable(['Code', 'HTTP status', 'Exit code', 'Meaning'], rows),
  )
}
