import { hash } from 'node:crypto'
import { mapSteps, type Steps, sortSteps } from '../../../base/slices.ts'
import { itemAt } from '../../../base/values/item-at.ts'
import { int32At, uint32At } from '../../../base/values/typed-at.ts'
import type { Resource, Row } from '../../../catalog/resource.ts'
import { type GroupKey, groupColumns } from '../../../lake/facts/group-series.ts'
import { type BlockFile, countBlocks } from '../../blocks/block-file.ts'
import { BlockReading } from '../../blocks/block-reading.ts'
import type { OpenBlock } from '../../blocks/open-block.ts'
import { groupText, keyedColumns } from '../key-file-contents.ts'
import { CommonValues } from './common-values.ts'

/** Key number and group number of each row of a file; -1 for an excluded row. */
interface SurveyedList {
  readonly list: BlockFile
  readonly keys: Int32Array
  readonly groups: Int32Array
}

export interface Survey {
  readonly lists: readonly SurveyedList[]
  /** Keys with rows, in the order of their SHA-256. */
  readonly keys: readonly string[]
  /** Number of rows before those of each key; the last item is the total. */
  readonly starts: Uint32Array
  /** Common values of each group, for the columns with a single value in every group. */
  readonly common: readonly Row[]
}

/**
 * Numbers the keys and groups of all rows, and finds common values. Excludes rows without a key and of other groups.
 * Errors: DamagedFile.
 */
export function* surveyRows(
  resource: Resource,
  lists: readonly BlockFile[],
  groups: readonly GroupKey[],
): Steps<Survey> {
  const common = new CommonValues(keyedColumns(resource), groups.length)
  const groupNumbers = new Map(groups.map((group, number) => [groupText(group), number]))
  const keyNumbers = new Map<string, number>()
  const surveyed: SurveyedList[] = []
  for (const list of lists) {
    const reading = new BlockReading(list)
    const placed = { list, keys: new Int32Array(list.rows), groups: new Int32Array(list.rows) }
    const numberOfText: number[] = []
    const keyColumn = list.numberOf(resource.keyed ?? '')
    for (let block = 0; block < countBlocks(list.rows); block += 1) {
      const [first, end] = [list.firstRowOf(block), list.firstRowOf(block + 1)]
      const [open, ofBlock] = [list.block(block), placed.groups.subarray(first, end)]
      numberGroups(resource, reading, open, first, ofBlock, groupNumbers)
      for (let row = 0; row < ofBlock.length; row += 1) {
        const at = open.wordOf(keyColumn, row)
        if (at < 0) ofBlock[row] = -1
        if (int32At(ofBlock, row) < 0) {
          placed.keys[first + row] = -1
          continue
        }
        const text = uint32At(open.words, at)
        let number = numberOfText[text]
        if (number === undefined) {
          const key = reading.textOf(keyColumn, text)
          number = keyNumbers.get(key) ?? keyNumbers.size
          keyNumbers.set(key, number)
          numberOfText[text] = number
        }
        placed.keys[first + row] = number
      }
      common.add({ reading, block, groups: ofBlock })
      yield
    }
    surveyed.push(placed)
  }
  return { lists: surveyed, ...(yield* sortKeys([...keyNumbers.keys()], surveyed)), common: common.take() }
}

/** Adjacent rows mostly share a group, so the lookup is skipped for equal columns. */
function numberGroups(
  resource: Resource,
  reading: BlockReading,
  open: OpenBlock,
  first: number,
  groups: Int32Array,
  numbers: ReadonlyMap<string, number>,
): void {
  const columns = Object.entries(groupColumns(resource)).map(
    ([name, part]) => [reading.file.numberOf(name), part] as const,
  )
  const isSame = (a: number, b: number) =>
    columns.every(([column]) => {
      const [atA, atB] = [open.wordOf(column, a), open.wordOf(column, b)]
      return (
        atA >= 0 &&
        atB >= 0 &&
        open.words[atA] === open.words[atB] &&
        open.words[atA + 1] === open.words[atB + 1]
      )
    })
  for (let row = 0; row < groups.length; row += 1) {
    if (row > 0 && isSame(row - 1, row)) groups[row] = int32At(groups, row - 1)
    else {
      const group = columns.map(([column, part]) => [part, reading.value(column, first + row)])
      groups[row] = numbers.get(groupText(Object.fromEntries(group))) ?? -1
    }
  }
}

/** Renumbers keys in the order of their digests, as in an index, and counts their rows. */
function* sortKeys(
  texts: readonly string[],
  lists: readonly SurveyedList[],
): Steps<Pick<Survey, 'keys' | 'starts'>> {
  const digests = yield* mapSteps(texts, (text) => hash('sha256', text, 'hex'))
  const sorted = yield* sortSteps([...texts.keys()], (a, b) =>
    itemAt(digests, a) < itemAt(digests, b) ? -1 : 1,
  )
  const places = new Int32Array(texts.length)
  for (const [index, number] of sorted.entries()) places[number] = index
  const starts = new Uint32Array(texts.length + 1)
  for (const { keys } of lists) {
    for (let row = 0; row < keys.length; row += 1) {
      const key = int32At(keys, row)
      if (key < 0) continue
      const rank = int32At(places, key)
      keys[row] = rank
      starts[rank + 1] = uint32At(starts, rank + 1) + 1
    }
    yield
  }
  for (let key = 0; key < texts.length; key += 1)
    starts[key + 1] = uint32At(starts, key + 1) + uint32At(starts, key)
  return { keys: sorted.map((number) => itemAt(texts, number)), starts }
}
