import { describe, expect, it } from 'vitest'
import { endsOfDays } from '../../src/answers/coverage/paid-days.ts'

const at = (text: string) => BigInt(Date.parse(text)) * 1000n
const paid = (end: string, day: string) => ({ period: at(end), day })
const days = (first: string, last: string) => ({ first, last, tz: 'UTC' })

describe('the range of ends for days', () => {
  it('covers the whole days, shifted by 12 hours, if no other period is near', () => {
    expect(endsOfDays(days('2025-02-01', '2025-02-02'), [])).toEqual({
      from: at('2025-02-01T12:00:00Z'),
      to: at('2025-02-03T12:00:00Z') - 1n,
    })
  })

  it('excludes periods of other days on both sides, even if the days have none', () => {
    const around = [
      paid('2025-02-02T13:00:00Z', '2025-02-01'), // of 26 hours or more
      paid('2025-02-03T06:00:00Z', '2025-02-03'), // of less than 12 hours
    ]
    expect(endsOfDays(days('2025-02-02', '2025-02-02'), around)).toEqual({
      from: at('2025-02-02T13:00:00Z') + 1n,
      to: at('2025-02-03T06:00:00Z') - 1n,
    })
    const own = paid('2025-02-03T00:00:00Z', '2025-02-02')
    expect(endsOfDays(days('2025-02-02', '2025-02-02'), [...around, own])).toEqual({
      from: at('2025-02-02T13:00:00Z') + 1n,
      to: at('2025-02-03T06:00:00Z') - 1n,
    })
  })

  it('extends to the ends of all periods that were paid for the days', () => {
    const long = [paid('2025-02-02T02:00:00Z', '2025-02-02'), paid('2025-02-05T00:00:00Z', '2025-02-02')]
    expect(endsOfDays(days('2025-02-02', '2025-02-02'), long)).toEqual({
      from: at('2025-02-02T02:00:00Z'),
      to: at('2025-02-05T00:00:00Z'),
    })
  })

  it('is undefined if a period of another day ends between or with periods of the days', () => {
    const own = [paid('2025-02-02T12:00:00Z', '2025-02-02'), paid('2025-02-03T00:00:00Z', '2025-02-02')]
    for (const end of ['2025-02-02T18:00:00Z', '2025-02-03T00:00:00Z', '2025-02-02T12:00:00Z'])
      expect(endsOfDays(days('2025-02-02', '2025-02-02'), [...own, paid(end, '2025-02-01')])).toBeUndefined()
  })
})
