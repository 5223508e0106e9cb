import { type GraphQLSchema, getNamedType, isEnumType } from 'graphql'
import { fill, h } from '../parts/h.ts'
import { type Found, fieldsOf, findInSchema, placeText } from './find-in-schema.ts'
import { fieldItem, valueItem } from './schema-items.ts'

/** The schema, a type at a time. */
export interface SchemaView {
  readonly element: HTMLElement
  /** Shows a type, with one of its fields in sight. */
  open(place: Found): void
}

/** Browses a schema from its queries on: what a type has, the way that was taken to it, and a search of all names. */
export function schemaView(schema: GraphQLSchema): SchemaView {
  const root = schema.getQueryType()?.name ?? 'Query'
  const body = h('div', {
    class: 'schema-body',
    tabindex: '0',
    role: 'group',
    'aria-label': 'What the schema has',
  })
  const field = h('input', {
    ...{
      id: 'schema-search',
      type: 'search',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
    },
    ...{ placeholder: 'Type, field or argument', input: look },
  })
  let way: readonly string[] = [root]

  const link = (place: Found) =>
    h('button', { type: 'button', class: 'link', click: () => open(place) }, placeText(place))

  function look(): void {
    const matches = findInSchema(schema, field.value)
    if (field.value.trim() === '') show()
    else if (matches.length === 0) fill(body, h('p', { role: 'status' }, 'Nothing has this in its name.'))
    else
      fill(
        body,
        h(
          'ul',
          { class: 'found' },
          matches.map((place) => h('li', {}, link(place))),
        ),
      )
  }

  function open(place: Found): void {
    const before = way.indexOf(place.type)
    way = before < 0 ? [...way, place.type] : way.slice(0, before + 1)
    field.value = ''
    show(place)
    body.focus({ preventScroll: true })
  }

  function show({ field: name, argument }: Partial<Found> = {}): void {
    const shown = schema.getType(way.at(-1) ?? root)
    if (shown === undefined) return
    const goTo = (type: Parameters<typeof getNamedType>[0]) =>
      open({ type: getNamedType(type)?.name ?? root })
    const items = isEnumType(shown)
      ? shown.getValues().map(valueItem)
      : fieldsOf(shown).map((one) => fieldItem(one, goTo, one.name === name, argument))
    fill(
      body,
      way.length < 2
        ? undefined
        : h(
            'nav',
            { class: 'way', 'aria-label': 'The way to this type' },
            way.slice(0, -1).map((type) => [link({ type }), ' › ']),
          ),
      h('h3', {}, shown.name),
      shown.description ? h('p', { class: 'quiet' }, shown.description) : undefined,
      h('ul', { class: 'fields' }, items),
    )
    body.scrollTop = 0
    const marked = body.querySelector<HTMLElement>('.marked')
    if (marked !== null) body.scrollTop = marked.offsetTop - body.offsetTop
  }

  show()
  const element = h(
    'div',
    {},
    h('label', { for: 'schema-search', class: 'hidden' }, 'Find a type, field or argument'),
    field,
    body,
  )
  return { element, open }
}
