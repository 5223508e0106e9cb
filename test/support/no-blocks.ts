import { openRowBlocks } from '../../src/index/row-blocks.ts'

const unread = () => Promise.reject(new Error('nothing is built here'))

/** Blocks of rows where there are none. */
export const noBlocks = openRowBlocks('', unread, {
  load: async () => {},
  forget: async () => {},
  filesOf: () => [],
})
