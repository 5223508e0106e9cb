import { expect, it } from 'vitest'
import { reporterOfMany } from '../../src/cli/serving/reporter.ts'

it('an error of several processes is reported once, and again after those processes have ended', () => {
  const told: string[] = []
  const { report, end } = reporterOfMany((sentence) => told.push(sentence))
  for (const process of [1, 2, 1]) report(process, 'The disk is full.')
  expect(told).toEqual(['The disk is full.'])
  end(1)
  report(2, 'The disk is full.')
  expect(told).toEqual(['The disk is full.'])
  end(2)
  report(3, 'The disk is full.')
  expect(told).toEqual(['The disk is full.', 'The disk is full.'])
})
