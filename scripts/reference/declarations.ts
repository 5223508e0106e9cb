/** A type before it is written: the members of an interface, or the variants of a union. */
export interface Declaration {
  readonly doc: string
  readonly members?: readonly string[]
  readonly variants?: readonly string[]
}

type Declarations = ReadonlyMap<string, Declaration>

/** Interfaces that share members, besides the variants of a union, by the end of their names. */
const families = ['SeriesQuery', 'Query', 'SeriesMeta', 'Series']
/** Fewer members are not worth an interface of their own. */
const FEWEST_SHARED = 4

/** Writes the types. The members that all of a family have stand in one interface, which the family extends. */
export function textsOf(declarations: Declarations): readonly string[] {
  const bases = new Map<string, string>()
  const shared = new Map<string, Declaration>()
  for (const [name, family] of familiesOf(declarations)) {
    const [first = [], ...more] = family.map((one) => declarations.get(one)?.members ?? [])
    const members = first.filter((member) => more.every((each) => each.includes(member)))
    if (more.length === 0 || members.length < FEWEST_SHARED) continue
    shared.set(name, { doc: `/** Members that all of ${family.join(', ')} have. */\n`, members })
    for (const one of family) bases.set(one, name)
  }
  const all = [...shared, ...declarations]
  return all.map(([name, declaration]) => {
    const base = bases.get(name)
    return textOf(name, declaration, base, base === undefined ? [] : (shared.get(base)?.members ?? []))
  })
}

function familiesOf(declarations: Declarations): readonly (readonly [string, readonly string[]])[] {
  const names = [...declarations.keys()]
  const ofUnions = [...declarations].flatMap(([name, { variants }]) =>
    variants === undefined ? [] : [[`${name}Common`, variants] as const],
  )
  const familyOf = (name: string) => families.find((end) => name.endsWith(end))
  const byName = families.map((end) => [end, names.filter((name) => familyOf(name) === end)] as const)
  return [...ofUnions, ...byName]
}

function textOf(
  name: string,
  { doc, members = [], variants }: Declaration,
  base: string | undefined,
  shared: readonly string[],
): string {
  if (variants !== undefined)
    return `${doc}export type ${name} =\n${variants.map((one) => `  | ${one}`).join('\n')}`
  if (members.length === 0) return `export type ${name} = Readonly<Record<never, never>>`
  const inner = members.filter((member) => !shared.includes(member))
  return `${doc}export interface ${name} ${base === undefined ? '' : `extends ${base} `}{\n${inner.join('\n')}\n}`
}
