import type { RecordMembers } from '../catalog/members.ts'
import type { Resource, Row } from '../catalog/resource.ts'
import { type JsonObject, quoteJson, Written, writeJson } from './json-writer.ts'
import { type Beside, memberWriter, type Shape, type WritePart } from './member-text.ts'
import { toRecord } from './record.ts'
import type { Spelling } from './spelling.ts'
import { kept } from './value-text.ts'

/** Writes one record: the text of what `toRecord` makes. */
type WriteRecord = (row: Row, beside: Beside) => string

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

  writer(): WriteRecord {
    const [texts, parts, last] = [this.#texts, this.#parts, this.#text]
    return (row, beside) => {
      let text = ''
      for (const [at, part] of parts.entries()) text += `${texts[at]}${part(row, beside)}`
      return text + last
    }
  }
}

/** Members of an object of its own are those of a variant; none of an unknown one. */
function compile(shape: Shape, variant: string | undefined): WriteRecord {
  const { record = {}, embeds = {}, variants } = shape.resource
  const steps = new Steps().text('{"id":').part((_row, { id }) => quoteJson(id))
  steps.members(record, shape, ',')
  for (const name of Object.keys(embeds))
    steps
      .text(`,${quoteJson(name)}:`)
      .part((_row, { embedded }) => writeJson(embedded[name] ?? null, shape.integersAsText))
  if (variants === undefined) return steps.text('}').writer()
  const members = variant === undefined ? {} : (variants.cases[variant] ?? {})
  return steps
    .text(`,${quoteJson(variants.as)}:{`)
    .members(members, shape, '')
    .text('}}')
    .writer()
}

/** A writer of records for each variant, made when it is first needed. */
function writerOf(resource: Resource, spelling: Spelling, integersAsText: boolean): WriteRecord {
  const digits = new Map<string, (value: bigint) => string>()
  function digitsOf(column: string) {
    const own = digits.get(column) ?? kept((value: bigint) => value.toString())
    digits.set(column, own)
    return own
  }
  const shape: Shape = { resource, spelling, integersAsText, digitsOf }
  const { variants } = resource
  if (variants === undefined) return compile(shape, undefined)
  const writers = new Map<string | undefined, WriteRecord>()
  return (row, beside) => {
    const name = String(row[variants.on])
    const variant = Object.hasOwn(variants.cases, name) ? name : undefined
    const write = writers.get(variant) ?? compile(shape, variant)
    writers.set(variant, write)
    return write(row, beside)
  }
}

/** Records of one resource, written without being made. */
export class RecordTexts {
  readonly resource: Resource
  readonly spelling: Spelling
  readonly #plain: WriteRecord
  readonly #asText: WriteRecord

  constructor(resource: Resource, spelling: Spelling) {
    this.resource = resource
    this.spelling = spelling
    this.#plain = writerOf(resource, spelling, false)
    this.#asText = writerOf(resource, spelling, true)
  }

  write(row: Row, beside: Beside, integersAsText: boolean): string {
    return integersAsText ? this.#asText(row, beside) : this.#plain(row, beside)
  }
}

/** A row as a record: it has its text at once, and its members for those who read them. */
export class WrittenRecord extends Written {
  readonly #texts: RecordTexts
  readonly #row: Row
  readonly #beside: Beside

  constructor(texts: RecordTexts, row: Row, beside: Beside) {
    super()
    this.#texts = texts
    this.#row = row
    this.#beside = beside
  }

  text(integersAsText: boolean): string {
    return this.#texts.write(this.#row, this.#beside, integersAsText)
  }

  get object(): JsonObject {
    const { resource, spelling } = this.#texts
    const { id, facts, embedded } = this.#beside
    return toRecord(resource, this.#row, id, facts, embedded, spelling)
  }
}
