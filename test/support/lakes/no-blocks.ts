import { openRowBlocks } from '../../../src/index/row-blocks.ts'

/** Indexes of rows where there are none. */
export const noBlocks = openRowBlocks('', () => Promise.reject(new Error('nothing is built here')))
