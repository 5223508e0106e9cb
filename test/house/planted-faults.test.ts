import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { faults } from '../mutations/faults.ts'
import { isPlantable } from '../mutations/plant.ts'

it('every fault that is planted to be found stands in its file exactly once, and names tests that are there', () => {
  expect(faults.length).toBeGreaterThan(200)
  expect(faults.filter((fault) => !isPlantable(fault)).map(({ what }) => what)).toEqual([])
  const tests = faults.flatMap((fault) => fault.tests)
  expect(tests.filter((test) => !existsSync(test))).toEqual([])
})
