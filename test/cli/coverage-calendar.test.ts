import { describe, expect, it } from 'vitest'
import type { Coverage } from '../../src/answers/coverage/coverage.ts'
import { calendarLegend, calendarLines } from '../../src/cli/coverage-calendar.ts'

const run = (first: string, last = first, days = 1) => ({ first, last, days })
const none = { count: 0, names: [] }

function coverage(
  from: string,
  to: string,
  epochs: Partial<Coverage['epochs']>,
  more: Partial<Coverage> = {},
): Coverage {
  return {
    ...{ from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z`, tokens: [], mixes_tokens: false },
    epochs: {
      expected: 0,
      present: 0,
      newest: null,
      missing: [],
      incomplete: [],
      late: [],
      unreadable: [],
      ...epochs,
    },
    manifests: { missing: [] },
    files: { missing: none, without_manifest: none, unreadable: none },
    ...more,
  }
}

describe('the calendar of a table', () => {
  it('has a sign for each day that was paid, and a sentence for each gap', () => {
    const epochs = {
      ...{ expected: 12, present: 8 },
      missing: [run('2025-01-31'), run('2025-02-03', '2025-02-05', 3)],
      ...{ incomplete: [run('2025-02-07')], late: [run('2025-02-02')] },
      unreadable: [run('2025-02-03')],
    }
    const files = {
      missing: { count: 1, names: ['iot_reward_share.1738972860000.gz'] },
      without_manifest: { count: 5, names: ['a.gz', 'b.gz', 'c.gz', 'd.gz', 'e.gz'] },
      unreadable: { count: 1, names: ['gateway_reward_share.1738544460000.gz'] },
    }
    const more = { files, manifests: { missing: [run('2025-02-08')] } }
    expect(calendarLines('iot_reward_shares', coverage('2025-01-29', '2025-02-09', epochs, more))).toEqual([
      'iot_reward_shares: data for 8 of 12 days',
      '           1        10        20        30',
      '  2025-01                             ###.',
      '  2025-02  #lu..#/m',
      '  no data for 2025-01-31 (the period that ends on 2025-02-01 is missing)',
      '  no data for 2025-02-03 to 2025-02-05 (periods ending 2025-02-04 to 2025-02-06)',
      '  files of 2025-02-07 are missing',
      '  a file of 2025-02-02 came after a later day was in',
      '  no manifest names files of 2025-02-08',
      '  1 file named by a manifest and not in:',
      '    iot_reward_share.1738972860000.gz',
      '  1 file that cannot be read:',
      '    gateway_reward_share.1738544460000.gz',
      '  5 files in without a manifest:',
      ...['    a.gz', '    b.gz', '    c.gz', '    and 2 more'],
    ])
  })

  it('omits older months without gaps, and prints those with one', () => {
    const epochs = { expected: 1096, present: 1095, missing: [run('2023-03-05')] }
    const lines = calendarLines('mobile_reward_shares', coverage('2023-01-02', '2026-01-01', epochs))
    expect(lines.slice(1, 5)).toEqual([
      '           1        10        20        30',
      '  23 older months without gaps',
      `  2023-03  ####.${'#'.repeat(26)}`,
      `  2025-01  ${'#'.repeat(31)}`,
    ])
    expect(lines).toHaveLength(3 + 13 + 1)
  })

  it('fits 80 columns with any number of gaps', () => {
    const missing = Array.from({ length: 60 }, (_, day) => {
      const first = new Date(Date.UTC(2025, 0, 1 + 3 * day)).toISOString().slice(0, 10)
      return run(first, new Date(Date.parse(first) + 86_400_000).toISOString().slice(0, 10), 2)
    })
    const lines = calendarLines('mobile_reward_shares', coverage('2025-01-02', '2025-07-01', { missing }))
    expect(lines.at(-1)).toBe('  and 40 more lines; status --json has all')
    expect(Math.max(...[...lines, ...calendarLegend].map(({ length }) => length))).toBe(80)
  })
})
