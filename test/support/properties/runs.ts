import { scaled } from '../tier.ts'

/** How many data sets each property is tried on, and which. `npm run test:long -- properties` sets both. */

const numberIn = (name: string, fallback: number) => Number(process.env[name] ?? fallback)

const runs = numberIn('PROPERTY_RUNS', scaled(1, 3))
const firstSeed = numberIn('PROPERTY_SEED', 1)

/** One seed for each data set; a failing one is run again by itself with --seed SEED --runs 1. */
export const seeds: readonly number[] = Array.from({ length: runs }, (_, index) => firstSeed + index)

/** Requests that one data set is asked for one property. */
export const REQUESTS = scaled(6, 15)
