import type { GraphQLArgument, GraphQLEnumValue, GraphQLType } from 'graphql'
import { type Child, h } from '../parts/h.ts'
import { type Field, fieldArguments } from './find-in-schema.ts'

type GoTo = (type: GraphQLType) => void

/** A field with its type, what it means, and its arguments; they stand open when one of them was looked for. */
export function fieldItem(field: Field, goTo: GoTo, isMarked: boolean, argument?: string): HTMLElement {
  const given = fieldArguments(field)
  return h(
    'li',
    { class: isMarked ? 'marked' : undefined },
    named(field, goTo),
    given.length === 0
      ? undefined
      : h(
          'details',
          { open: isMarked && argument !== undefined },
          h('summary', {}, given.length === 1 ? '1 argument' : `${given.length} arguments`),
          h(
            'ul',
            {},
            given.map((one) => h('li', {}, named(one, goTo))),
          ),
        ),
  )
}

export function valueItem({ name, description, deprecationReason }: GraphQLEnumValue): HTMLElement {
  return h(
    'li',
    {},
    h('code', { class: 'name' }, name),
    descriptionOf(description),
    obsolete(deprecationReason),
  )
}

function named(one: Field | GraphQLArgument, goTo: GoTo): Child {
  const { name, type, description, deprecationReason } = one
  const byDefault = 'defaultValue' in one && one.defaultValue !== undefined ? one.defaultValue : undefined
  return [
    h('code', { class: 'name' }, name),
    ': ',
    h('button', { type: 'button', class: 'link', click: () => goTo(type) }, String(type)),
    byDefault === undefined ? undefined : h('code', {}, ` = ${JSON.stringify(byDefault)}`),
    descriptionOf(description),
    obsolete(deprecationReason),
  ]
}

const descriptionOf = (text: string | null | undefined) =>
  text ? h('p', { class: 'quiet' }, text) : undefined

const obsolete = (reason: string | null | undefined) =>
  reason ? h('p', { class: 'note' }, `Deprecated: ${reason}`) : undefined
