import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { faults } from '../mutations/faults.ts'
import { isPlantable } from '../mutations/plant.ts'

it('every planted fault occurs in its file exactly once, and names existing tests', () => {
  expect(faults.length).toBeGreaterThan(200)
  expect(faults.filter((fault) => !isPlantable(fault)).map(({ what }) => what)).toEqual([])
  const tests = faults.flatMap((fault) => fault.tests)
  expect(tests.filter((test) => !existsSync(test))).toEqual([])
})
