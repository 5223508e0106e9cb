import { expect, it } from 'vitest'
import { copyWriter } from '../../../src/doors/postgres/session/copy-out.ts'
import { textColumn } from '../../../src/doors/postgres/session/prepared.ts'
import type { CopyOptions } from '../../../src/doors/postgres/statements/copy-options.ts'

/** Source: PostgreSQL, COPY, "Text Format": a backslash goes before itself and the delimiter. */
it.each([
  ['\\', 'a\\\\b^c\n'],
  [']', 'a\\\\b^c\n'],
  ['^', 'a\\\\b\\^c\n'],
  ['-', 'a\\\\b^c\n'],
])('a text with the delimiter %s has a backslash before special characters alone', (delimiter, line) => {
  const options: CopyOptions = {
    ...{ format: 'text' as const, delimiter, nullText: '\\N' },
    ...{ hasHeader: false, quote: '"', escape: '"' },
  }
  const written = copyWriter(options, [textColumn('a')]).row(['a\\b^c'])
  expect(Buffer.from(written).toString()).toBe(line)
})
