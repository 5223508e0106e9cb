import { isList, isObject, type Json, type JsonObject } from '../../../base/values/json-writer.ts'
import { type Html, html, prose } from '../../page/html.ts'

type Schema = JsonObject

const partOf = (value: Json | undefined): Schema => (isObject(value) ? value : {})
const nameOf = ($ref: Json | undefined) => (typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : '')

/** What a value is, in few words, with a link to a schema that has a name. */
export function typeOf(schema: Schema): Html {
  const { $ref, type, items, format, contentEncoding } = schema
  if ($ref !== undefined) return html`<a href="#${nameOf($ref)}">${nameOf($ref)}</a>`
  const alternatives = listOf(schema.oneOf ?? (type === undefined ? schema.anyOf : undefined))
  if (alternatives.length > 0)
    return joined(
      alternatives.map((own) => typeOf(partOf(own))),
      ' or ',
    )
  if (type === 'array') return html`list of ${typeOf(partOf(items))}`
  const kinds = listOf(type ?? 'anything').map((kind) => {
    const detail = kind === 'null' ? undefined : (format ?? contentEncoding)
    return html`${String(kind)}${detail === undefined ? '' : ` (${String(detail)})`}`
  })
  return joined(kinds, ' or ')
}

/** Least, most and default, and the values that there are. */
export function limitsOf({ minimum, maximum, default: fallback, ...schema }: Schema): Html {
  const range =
    minimum !== undefined && maximum !== undefined
      ? `${minimum} to ${maximum}`
      : minimum !== undefined
        ? `at least ${minimum}`
        : ''
  const bounds = [range, fallback === undefined ? '' : `${fallback} unless given`].filter(
    (text) => text !== '',
  )
  const choices = choicesOf(schema).filter((choice) => choice !== null)
  const limits = bounds.length === 0 ? '' : html`<p class="limits">${bounds.join('; ')}</p>`
  if (choices.length === 0) return html`${limits}`
  return html`${limits}<p class="limits">${joined(
    choices.map((choice) => html`<code>${String(choice)}</code>`),
    ' ',
  )}</p>`
}

/** Known values, also where others may come. */
function choicesOf(schema: Schema): readonly Json[] {
  const open = listOf(schema.anyOf).flatMap((own) => listOf(partOf(own).enum))
  const items = schema.type === 'array' ? listOf(partOf(schema.items).enum) : []
  const own = listOf(schema.enum)
  const constant = schema.const === undefined ? [] : [schema.const]
  const known = schema.format === undefined && schema.pattern === undefined ? listOf(schema.examples) : []
  return [own, open, items, constant, known].find((values) => values.length > 0) ?? []
}

/** A list of names with their types and meanings. */
export function member(name: Html, schema: Schema, meaning: string, mark: Html | '' = ''): Html {
  return html`<dt>${name} <span class="type">${typeOf(schema)}</span> ${mark}</dt>
<dd>${meaning === '' ? '' : html`<p>${prose(meaning)}</p>`}${limitsOf(schema)}${nested(schema)}</dd>
`
}

/** The members of an object, those of objects within it below them. */
export function membersOf(schema: Schema): Html {
  const alternatives = listOf(schema.anyOf).filter((own) => partOf(own).properties !== undefined)
  if (alternatives.length > 0) return html`${alternatives.map((own) => membersOf(partOf(own)))}`
  const members = Object.entries(partOf(schema.properties))
  return html`<dl>${members.map(([name, value]) => {
    const own = partOf(value)
    return member(html`<code>${name}</code>`, own, typeof own.description === 'string' ? own.description : '')
  })}</dl>`
}

function nested(schema: Schema): Html | '' {
  if (schema.properties !== undefined) return membersOf(schema)
  const items = partOf(schema.items)
  return items.properties === undefined ? '' : membersOf(items)
}

function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined) return []
  return isList(value) ? value : [value]
}

function joined(parts: readonly Html[], by: string): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${by}${part}`))}`
}
