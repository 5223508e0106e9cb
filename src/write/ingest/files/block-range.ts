import type { ValueRange } from '../../../catalog/partition.ts'
import type { Resource } from '../../../catalog/resource.ts'

/** Blocks of the chain, both ends inclusive. */
export interface BlockRange {
  readonly first: bigint
  readonly last: bigint
}

const BLOCK = 'block'
const HIGHEST = 9_223_372_036_854_775_807n
const RANGE = /^(\d{0,19})\.\.(\d{0,19})$/
const everything: BlockRange = { first: 0n, last: HIGHEST }

/** Parses `A..B`, `A..` or `..B`; undefined for other text or an empty range. */
export function readBlockRange(text: string): BlockRange | undefined {
  const [whole, first = '', last = ''] = RANGE.exec(text) ?? []
  if (whole === undefined || (first === '' && last === '')) return undefined
  const range = { first: BigInt(first || 0n), last: BigInt(last || HIGHEST) }
  return range.first <= range.last && range.last <= HIGHEST ? range : undefined
}

function writeBlockRange({ first, last }: BlockRange): string {
  return `${first}..${last === HIGHEST ? '' : last}`
}

export function hasBlocks(resource: Resource | undefined): boolean {
  return resource !== undefined && BLOCK in resource.columns
}

export function valuesOfBlocks({ first, last }: BlockRange): ValueRange {
  return { column: BLOCK, first, end: last + 1n }
}

/** Returns the source name of a part of a file: `data_xaa.csv.gz#1000000..1099999`. */
export function namePart(file: string, blocks: BlockRange): string {
  return `${file}#${writeBlockRange(blocks)}`
}

/** Returns the blocks of a source; undefined for a whole file. */
export function blocksOfPart(name: string): BlockRange | undefined {
  return fileOfPart(name) === name ? undefined : readPart(name).blocks
}

function readPart(name: string): { readonly file: string; readonly blocks: BlockRange } {
  const at = name.lastIndexOf('#')
  const blocks = at < 0 ? undefined : readBlockRange(name.slice(at + 1))
  return blocks === undefined ? { file: name, blocks: everything } : { file: name.slice(0, at), blocks }
}

export function fileOfPart(name: string): string {
  return readPart(name).file
}

/** Returns true if two sources are different parts of one file with common blocks. */
export function haveBlocksInCommon(name: string, otherName: string): boolean {
  const [a, b] = [readPart(name), readPart(otherName)]
  if (name === otherName || a.file !== b.file) return false
  return a.blocks.first <= b.blocks.last && b.blocks.first <= a.blocks.last
}
