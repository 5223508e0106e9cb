/**
 * The numbers of a column in a block, packed in whichever way takes the fewest bits. They have 64 bits each and are held as two
 * halves, the lower first, since arithmetic with bigint takes ten times as long.
 */
export type Halves = Uint32Array

/**
 * least: what each has above the least of them, all in one width. own: each in its own width, its highest bit left out.
 * steps: what each step from the one before has above the least step, all in one width.
 * ownSteps: steps with their sign in the lowest bit, each in its own width.
 */
export const methods = ['least', 'own', 'steps', 'ownSteps'] as const

export const METHOD_BITS = 2
/** Bits of a width, and of the length of a single number. */
export const WIDTH_BITS = 7
