import { beforeAll, describe, expect, it } from 'vitest'
import { monthFiles } from '../support/guides/month-files.ts'
import { guides, makeSampleLake, runGuide } from '../support/guides/run-guide.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let sample: string

beforeAll(async () => {
  sample = await temporaryFolder()
  await makeSampleLake(sample)
})

describe('commands of the guides', () => {
  it.each(guides)('print in %s the output that the page shows', async (name) => {
    const folder = await temporaryFolder()
    const outcomes = await runGuide(name, { folder, sample, languages: ['sh', 'js', 'ts'] })
    for (const { at, fault } of outcomes.filter((one) => one.fault !== undefined))
      expect(fault?.actual, `${at} ${fault?.what}`).toBe(fault?.expected)
    expect(outcomes.filter(({ fault }) => fault !== undefined)).toEqual([])
    for (const { file, month, days } of await monthFiles(folder)) {
      expect([file, ...new Set(days.map((day) => day.slice(0, 7)))]).toEqual([file, month])
      // A month that the sample has in part begins or ends on another day.
      if (month === '2025-02') expect([file, [...days].sort()[0]]).toEqual([file, '2025-02-01'])
    }
  })
})
