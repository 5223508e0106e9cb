import { expect, it } from 'vitest'
import { BitWriter } from '../../src/index/blocks/bits.ts'
import { BLOCK_ROWS } from '../../src/index/blocks/block-layout.ts'
import { ColumnBuffer, writeBlock } from '../../src/index/blocks/column-buffer.ts'
import { OpenBlock } from '../../src/index/blocks/open-block.ts'
import { deriveSeed, openRandom } from '../../src/write/sample/random.ts'

/** Columns with a value in some rows, in none and in each. */
const shares = [0.5, 0, 1] as const

it.each([1, 3, 31, 32, 33, 64, 70])(
  'a block of %i columns returns each value of each row in any order of access',
  (columns) => {
    const random = openRandom(deriveSeed(`open block ${columns}`))
    const rows = BLOCK_ROWS - columns
    const values = Array.from({ length: columns }, (_, column) =>
      Array.from({ length: rows }, () =>
        random.below(1000) < 1000 * (shares[column % 3] as number)
          ? ([random.below(2 ** 32), random.below(3)] as const)
          : undefined,
      ),
    )
    const gathered = values.map((own) => {
      const column = new ColumnBuffer(BLOCK_ROWS)
      for (const value of own) value === undefined ? column.addNull() : column.add(...value)
      return column
    })
    const block = new OpenBlock(writeBlock(gathered, new BitWriter()), columns, rows)
    const asked = values.flatMap((own, column) =>
      own.map((value, row) => ({ column, row, value, turn: random.below(2 ** 32) })),
    )
    const wrong = asked
      .sort((a, b) => a.turn - b.turn)
      .filter(({ column, row, value }) => {
        const place = block.wordOf(column, row)
        const found = place < 0 ? undefined : [...block.words.subarray(place, place + 2)]
        return String(found) !== String(value)
      })
    expect(wrong).toEqual([])
    const count = (own: readonly unknown[]) => own.filter((value) => value !== undefined).length
    const [some = 0, ...others] = values.slice(0, 3).map(count)
    expect(others).toEqual([0, rows].slice(0, columns - 1))
    expect(some).toBeGreaterThan(0)
    expect(some).toBeLessThan(rows)
  },
)
