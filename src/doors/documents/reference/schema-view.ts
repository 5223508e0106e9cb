import { isList, isObject, type Json, type JsonObject } from '../../../base/values/json-writer.ts'
import { type Html, html, prose } from '../../html/html.ts'

type Schema = JsonObject

const partOf = (value: Json | undefined): Schema => (isObject(value) ? value : {})
const nameOf = ($ref: Json | undefined) => (typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : '')

/** Renders the type of a value, with a link to a named schema. */
export function typeOf(schema: Schema): Html {
  const { $ref, type, items, format, contentEncoding } = schema
  if ($ref !== undefined) return html`<a href="#${nameOf($ref)}">${nameOf($ref)}</a>`
  const alternatives = listOf(schema.oneOf ?? (type === undefined ? schema.anyOf : undefined))
  if (alternatives.length > 0)
    return joinHtml(
      alternatives.map((alternative) => typeOf(partOf(alternative))),
      ' or ',
    )
  if (type === 'array') return html`list of ${typeOf(partOf(items))}`
  const kinds = listOf(type ?? 'anything').map((kind) => {
    const detail = kind === 'null' ? undefined : (format ?? contentEncoding)
    return html`${String(kind)}${detail === undefined ? '' : ` (${String(detail)})`}`
  })
  return joinHtml(kinds, ' or ')
}

/** Renders bounds, default and choices. */
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
  return html`${limits}<p class="limits">${joinHtml(
    choices.map((choice) => html`<code>${String(choice)}</code>`),
    ' ',
  )}</p>`
}

/** Values of an enum, or known values of an open list. */
function choicesOf(schema: Schema): readonly Json[] {
  const alternatives = listOf(schema.anyOf).flatMap((alternative) => listOf(partOf(alternative).enum))
  const items = schema.type === 'array' ? listOf(partOf(schema.items).enum) : []
  const enumValues = listOf(schema.enum)
  const constant = schema.const === undefined ? [] : [schema.const]
  const exampleValues =
    schema.format === undefined && schema.pattern === undefined ? listOf(schema.examples) : []
  return [enumValues, alternatives, items, constant, exampleValues].find((values) => values.length > 0) ?? []
}

/** Renders a member with type, description and nested members. */
export function memberEntry(name: Html, schema: Schema, meaning: string, mark: Html | '' = ''): Html {
  return html`<dt>${name} <span class="type">${typeOf(schema)}</span> ${mark}</dt>
<dd>${meaning === '' ? '' : html`<p>${prose(meaning)}</p>`}${limitsOf(schema)}${nestedMembers(schema)}</dd>
`
}

/** Renders the members of an object, nested ones below. */
export function schemaMembers(schema: Schema): Html {
  const alternatives = listOf(schema.anyOf).filter(
    (alternative) => partOf(alternative).properties !== undefined,
  )
  if (alternatives.length > 0)
    return html`${alternatives.map((alternative) => schemaMembers(partOf(alternative)))}`
  const members = Object.entries(partOf(schema.properties))
  return html`<dl>${members.map(([name, value]) => {
    const memberSchema = partOf(value)
    return memberEntry(
      html`<code>${name}</code>`,
      memberSchema,
      typeof memberSchema.description === 'string' ? memberSchema.description : '',
    )
  })}</dl>`
}

function nestedMembers(schema: Schema): Html | '' {
  if (schema.properties !== undefined) return schemaMembers(schema)
  const items = partOf(schema.items)
  return items.properties === undefined ? '' : schemaMembers(items)
}

function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined) return []
  return isList(value) ? value : [value]
}

function joinHtml(parts: readonly Html[], by: string): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${by}${part}`))}`
}
