import { expect, it } from 'vitest'
import { makers } from '../../src/catalog/l2/makers.ts'
import { TableState } from '../../src/lake/log/table-state.ts'
import { tableActions } from '../support/tables/write-log.ts'

const reached = { version: 0, committedAt: 0, entryDigest: '' }

it('a log describes its table once it has both protocol and metaData', () => {
  const state = new TableState()
  const seen = tableActions(makers, 'an id').map((action) => state.apply([action]).isDescribed)
  expect(seen).toEqual([false, true])
  expect(state.at(reached, 'makers').metaData.id).toBe('an id')
  expect(() => new TableState().at(reached, 'makers')).toThrow(
    'The log of makers has no protocol or no metaData',
  )
})
