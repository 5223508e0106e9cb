import { inOnePiece, quoteJson, writeJson } from '../../base/values/json-writer.ts'
import type { RecordMembers } from '../members.ts'
import type { Resource, Row } from '../resource.ts'
import { type Beside, memberWriter, type Shape, type WritePart } from './member-text.ts'
import { recordColumns } from './record.ts'
import type { Spelling } from './spelling.ts'
import { kept } from './value-text.ts'

/** Fixed texts and the parts of a row in turn. */
class Steps {
  readonly #texts: string[] = []
  readonly #parts: WritePart[] = []
  #text = ''

  text(text: string): this {
    this.#text += text
    return this
  }

  part(part: WritePart): this {
    this.#texts.push(this.#text)
    this.#parts.push(part)
    this.#text = ''
    return this
  }

  /** Members of an object; a comma stands before the first when the object has others. */
  members(members: RecordMembers, shape: Shape, comma: ',' | ''): this {
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
    const [texts, parts, last] = [this.#texts, this.#parts, this.#text]
    return (row, beside) => {
      let text = ''
      for (let at = 0; at < parts.length; at += 1) {
        text += texts[at] as string
        text += (parts[at] as WritePart)(row, beside)
      }
      return text + last
    }
  }
}

/** What stands between the id and the members of a variant. */
function headWriter(shape: Shape): WritePart {
  const { record = {}, embeds = {} } = shape.resource
  const steps = new Steps().members(record, shape, ',')
  for (const name of Object.keys(embeds))
    steps
      .text(`,${quoteJson(name)}:`)
      .part((_row, { embedded }) => writeJson(embedded[name] ?? null, shape.integersAsText))
  return steps.writer()
}

/** Keeps the text for rows whose columns, and what is beside them, are those of the row before. */
function keptFor(columns: readonly string[], write: WritePart): WritePart {
  let last: { readonly row: Row; readonly beside: Beside } | undefined
  let text = ''
  return (row, beside) => {
    const isSame = beside === last?.beside && columns.every((column) => row[column] === last?.row[column])
    if (!isSame) {
      text = inOnePiece(write(row, beside))
      last = { row, beside }
    }
    return text
  }
}

/** Writes records from behind their ids; where there are variants, neighbours differ in those members for the most part. */
function restWriter(shape: Shape): WritePart {
  const { resource } = shape
  const { variants } = resource
  const writeHead = headWriter(shape)
  if (variants === undefined) return (row, beside) => `${writeHead(row, beside)}}`
  const head = keptFor([...recordColumns(resource, [])], writeHead)
  const open = `,${quoteJson(variants.as)}:{`
  const compile = (members: RecordMembers) =>
    new Steps().part(head).text(open).members(members, shape, '').text('}}').writer()
  const cases = Object.entries(variants.cases).map(([name, members]) => [name, compile(members)] as const)
  const writers = new Map(cases)
  const unknown = compile({})
  return (row, beside) => (writers.get(String(row[variants.on])) ?? unknown)(row, beside)
}

/** Writes records of a resource from behind their ids: what stands after the id in the text of what `toRecord` makes. */
export function recordWriter(resource: Resource, spelling: Spelling, integersAsText: boolean): WritePart {
  const digits = new Map<string, (value: bigint) => string>()
  function digitsOf(column: string) {
    const own = digits.get(column) ?? kept((value: bigint) => value.toString())
    digits.set(column, own)
    return own
  }
  return restWriter({ resource, spelling, integersAsText, digitsOf })
}
