import type { errorTable } from '../../base/errors.ts'
import { code, page, table, written } from './markdown.ts'

/** Every error, as a caller of REST and as a shell sees it. */
export function errorsPage(errors: typeof errorTable): string {
  const rows = Object.entries(errors).map(([name, { status, exit, meaning }]) => [
    code(name),
    String(status),
    String(exit),
    meaning,
  ])
  return page(
    '# Errors',
    written('the error table, `src/base/errors.ts`'),
    'Error responses of REST have a message and a machine-readable code: `{ "error": "<sentence>", "code": "<code>" }`. Where parameters are wrong, ' +
      '`errors` lists all of them as `{ "param", "message" }`. The command prints the same sentence and leaves with ' +
      'the exit code; 0 means that all went well.',
    table(['Code', 'HTTP status', 'Exit code', 'Meaning'], rows),
  )
}
