import { type JsonObject, quoteJson, Written } from '../../base/values/json-writer.ts'
import type { Resource, Row } from '../resource.ts'
import type { RecordContext, WritePart } from './member-text.ts'
import { toRecord } from './record.ts'
import { recordWriter } from './record-text.ts'
import type { Spelling } from './spelling.ts'

/** Writes records of one resource directly as text, without objects. */
export class RecordTexts {
  readonly resource: Resource
  readonly spelling: Spelling
  readonly #plain: WritePart
  readonly #asText: WritePart

  constructor(resource: Resource, spelling: Spelling) {
    this.resource = resource
    this.spelling = spelling
    this.#plain = recordWriter(resource, spelling, false)
    this.#asText = recordWriter(resource, spelling, true)
  }

  write(row: Row, id: string, beside: RecordContext, integersAsText: boolean): string {
    const write = integersAsText ? this.#asText : this.#plain
    return `{"id":${quoteJson(id)}${write(row, beside)}`
  }
}

/** A row as a record. It writes its text directly and builds the object only on request. */
export class WrittenRecord extends Written {
  readonly #texts: RecordTexts
  readonly #row: Row
  readonly #id: string
  readonly #beside: RecordContext

  constructor(texts: RecordTexts, row: Row, id: string, beside: RecordContext) {
    super()
    this.#texts = texts
    this.#row = row
    this.#id = id
    this.#beside = beside
  }

  text(integersAsText: boolean): string {
    return this.#texts.write(this.#row, this.#id, this.#beside, integersAsText)
  }

  get object(): JsonObject {
    const { resource, spelling } = this.#texts
    const { facts, embedded } = this.#beside
    return toRecord(resource, this.#row, this.#id, facts, embedded, spelling)
  }
}
