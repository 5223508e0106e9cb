import library from './library.cjs'

export const { LedgerlakeError, openLake } = library
