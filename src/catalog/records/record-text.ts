import { getOrMake } from '../../base/maps.ts'
import { inOnePiece, quoteJson, writeJson } from '../../base/values/json-writer.ts'
import type { RecordMembers } from '../members.ts'
import type { Resource, Row } from '../resource.ts'
import { memberWriter, type RecordContext, type RecordShape, type WritePart } from './member-text.ts'
import { recordColumns } from './record.ts'
import type { Spelling } from './spelling.ts'
import { cacheLast } from './value-text.ts'

/** Alternates fixed texts and writers of parts. */
class PartTemplate {
  readonly #steps: { readonly before: string; readonly part: WritePart }[] = []
  #text = ''

  text(text: string): this {
    this.#text += text
    return this
  }

  part(part: WritePart): this {
    this.#steps.push({ before: this.#text, part })
    this.#text = ''
    return this
  }

  /** Adds the members of an object; `comma` precedes the first. */
  members(members: RecordMembers, shape: RecordShape, comma: ',' | ''): this {
    let before: string = comma
    for (const [name, member] of Object.entries(members)) {
      this.text(`${before}${quoteJson(name)}:`)
      if (typeof member === 'string' || !('members' in member)) this.part(memberWriter(member, shape))
      else this.text('{').members(member.members, shape, '').text('}')
      before = ','
    }
    return this
  }

  writer(): WritePart {
    const [steps, last] = [this.#steps, this.#text]
    return (row, context) => {
      let text = ''
      for (const { before, part } of steps) {
        text += before
        text += part(row, context)
      }
      return text + last
    }
  }
}

/** Creates the writer of the members between the id and the variant. */
function headWriter(shape: RecordShape): WritePart {
  const { record = {}, embeds = {} } = shape.resource
  const steps = new PartTemplate().members(record, shape, ',')
  for (const name of Object.keys(embeds))
    steps
      .text(`,${quoteJson(name)}:`)
      .part((_row, { embedded }) => writeJson(embedded[name] ?? null, shape.integersAsText))
  return steps.writer()
}

/** Caches the text for consecutive rows with the same columns and context. */
function cacheForRow(columns: readonly string[], write: WritePart): WritePart {
  let last: { readonly row: Row; readonly context: RecordContext } | undefined
  let text = ''
  return (row, context) => {
    const isSame = context === last?.context && columns.every((column) => row[column] === last?.row[column])
    if (!isSame) {
      text = inOnePiece(write(row, context))
      last = { row, context }
    }
    return text
  }
}

/** Creates the writer of records after the id. Rows of variants mostly share the head with their neighbours. */
function bodyWriter(shape: RecordShape): WritePart {
  const { resource } = shape
  const { variants } = resource
  const writeHead = headWriter(shape)
  if (variants === undefined) return (row, context) => `${writeHead(row, context)}}`
  const head = cacheForRow([...recordColumns(resource, [])], writeHead)
  const open = `,${quoteJson(variants.as)}:{`
  const compile = (members: RecordMembers) =>
    new PartTemplate().part(head).text(open).members(members, shape, '').text('}}').writer()
  const cases = Object.entries(variants.cases).map(([name, members]) => [name, compile(members)] as const)
  const writers = new Map(cases)
  const unknown = compile({})
  return (row, context) => (writers.get(String(row[variants.on])) ?? unknown)(row, context)
}

/** Creates the writer of records after the id; its text equals that of `toRecord`. */
export function recordWriter(resource: Resource, spelling: Spelling, integersAsText: boolean): WritePart {
  const digits = new Map<string, (value: bigint) => string>()
  const digitsOf = (column: string) =>
    getOrMake(digits, column, () => cacheLast((value: bigint) => value.toString()))
  return bodyWriter({ resource, spelling, integersAsText, digitsOf })
}
