import { describe, expect, it } from 'vitest'
import type { TextRows } from '../../../src/answers/sql/sql-session.ts'
import { writeTable } from '../../../src/cli/commands/sql/result-formats.ts'

async function* batches(...all: TextRows[]) {
  yield* all
}

describe('a result as a table', () => {
  it('shows every digit, NULL, numbers to the right, and no control characters', async () => {
    const columns = [
      { name: 'key', type: 'VARCHAR' },
      { name: 'n', type: 'DECIMAL(38,16)' },
      { name: 'at', type: 'TIMESTAMP WITH TIME ZONE' },
    ]
    const rows = [
      ['a\u001b[2J', '-1234567890123456789012.1234567890123456', '2025-01-29T00:00:00Z'],
      [null, '9007199254740993', null],
    ]
    expect(await writeTable(columns, batches(rows))).toBe(
      [
        'key                                                n  at',
        'a\\u001b[2J  -1234567890123456789012.1234567890123456  2025-01-29T00:00:00Z',
        'NULL                                9007199254740993  NULL',
        '(2 rows)\n',
      ].join('\n'),
    )
  })

  it('truncates long results and long cells, and says so', async () => {
    const many = Array.from({ length: 80 }, (_, row) => [String(row)])
    const text = await writeTable([{ name: 'n', type: 'BIGINT' }], batches(many, many))
    const lines = text.trimEnd().split('\n')
    expect(lines).toHaveLength(102)
    expect(lines.at(-2)).toBe('19')
    expect(lines.at(-1)).toBe('(160 rows, of which the first 100 are shown; --format csv writes all)')
    const [, long] = (await writeTable([{ name: 't', type: 'VARCHAR' }], batches([['x'.repeat(100)]]))).split(
      '\n',
    )
    expect(long).toBe(`${'x'.repeat(79)}…`)
  })
})
