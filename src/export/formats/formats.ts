import { arrow } from './arrow.ts'
import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { ndjson } from './ndjson.ts'
import { parquet } from './parquet.ts'

/** The formats that whole lists are given in. */
export const formats: readonly Format[] = [ndjson, csv, parquet, arrow]
