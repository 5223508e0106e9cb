import { describe, expect, it } from 'vitest'
import type { SourceInFile } from '../../../src/lake/facts/source.ts'
import type { FileFacts, GroupFacts } from '../../../src/lake/ports/file-writer.ts'
import { verifyStagedFile } from '../../../src/write/store/verify-staged-file.ts'

const group = { period: 1n, type: 'gateway_reward', rows: 2, sums: { amount: 9007199254740993n } }
const next = { period: 2n, type: 'gateway_reward', rows: 1, sums: { amount: 5n } }
const counted: SourceInFile = {
  ...{ kind: 'iot_rewards', name: 'a.gz', sha256: '0'.repeat(64) },
  ...{ rows: 3, refused: 0, groups: [group, next] },
}
const first: GroupFacts = { ...group, first: 0, last: 1 }
const second: GroupFacts = { ...next, first: 2, last: 2 }

const facts = (rows: number, ...groups: readonly GroupFacts[]): FileFacts => ({
  ...{ rows, columns: {}, chunks: [] },
  sources: [{ source_file: 'a.gz', rows, groups }],
})

describe('a file that was read back', () => {
  it('is accepted if its rows and sums are as counted', () => {
    expect(() => verifyStagedFile('x.parquet', facts(3, first, second), [counted])).not.toThrow()
  })

  it.each([
    ['a row less', facts(2, first)],
    ['a sum that is one unit more', facts(3, { ...first, sums: { amount: 9007199254740994n } }, second)],
    ['another period', facts(3, { ...first, period: 3n }, second)],
    ['another type', facts(3, first, { ...second, type: 'operational_reward' })],
    ['a group in another place', facts(3, { ...first, first: 1, last: 2 }, { ...second, first: 0, last: 0 })],
    ['a source that nobody counted', { ...facts(3, first, second), sources: [] }],
  ])('is refused with %s', (_what, found) => {
    expect(() => verifyStagedFile('x.parquet', found, [counted])).toThrow(
      /^x\.parquet does not hold what was written to it: .*a\.gz: \d rows; .*check the disk and ingest again\.$/,
    )
  })
})
