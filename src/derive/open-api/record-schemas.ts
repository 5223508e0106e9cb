import type { Embedding, Nested, RecordMembers, Resource } from '../../catalog/resource.ts'
import { idMeaning, totalMeaning } from '../member-meaning.ts'
import { memberSchema } from './member-schema.ts'
import type { DocumentForms } from './reply-forms.ts'
import { described, exactly, orNull, pascalCase, reference, type Schema } from './schema.ts'

/** `iot_reward_shares` -> `IotRewardShare`, the name of one record. */
export function recordName({ name }: Resource): string {
  return pascalCase(name.replace(/s$/, ''))
}

export function totalsName(resource: Resource): string {
  return `${recordName(resource)}Totals`
}

const variantName = (resource: Resource, variant: string) => recordName(resource) + pascalCase(variant)

const embeddings: Readonly<Record<Embedding, Schema>> = {
  manifest: described(
    orNull(reference('schemas', 'RewardManifest')),
    'The manifest that names the source file; null while it is unknown.',
  ),
  maker: {
    description:
      'The maker; as the import brought it while makers has none of its id, null while it is unknown.',
    anyOf: [
      reference('schemas', 'Maker'),
      { type: 'object', description: 'The maker as the import of the hotspot brought it.' },
      { type: 'null' },
    ],
  },
}

/** The schema of every record, of its variants and of its totals, by name. */
export function recordSchemas(
  resources: readonly Resource[],
  forms: DocumentForms,
): Readonly<Record<string, Schema>> {
  const withRecord = resources.filter(({ record }) => record !== undefined)
  return Object.fromEntries(withRecord.flatMap((resource) => schemasOf(resource, forms)))
}

function schemasOf(resource: Resource, forms: DocumentForms): readonly (readonly [string, Schema])[] {
  const { doc, columns, record = {}, embeds = {}, variants, totals } = resource
  const members: Record<string, Schema> = {
    id: { type: 'string', format: 'uuid', description: idMeaning(resource) },
    ...membersOf(resource, record, forms, (column) => columns[column]?.nullable ?? true),
    ...Object.fromEntries(Object.entries(embeds).map(([name, what]) => [name, embeddings[what]])),
  }
  const own = recordName(resource)
  const sums = totals === undefined ? [] : [[totalsName(resource), totalsSchema(totals, doc)] as const]
  if (variants === undefined) return [[own, exactly(members, doc)], ...sums]
  const { on, as, cases, mayLack } = variants
  const names = Object.keys(cases)
  const refs = names.map((name) => reference('schemas', variantName(resource, name)))
  members[on] = { type: 'string', enum: names, description: columns[on]?.doc ?? '' }
  members[as] = { description: `What the ${on} says; it chooses the variant.`, oneOf: refs }
  const chosen = names.map((name, index) => ({
    if: { properties: { [on]: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { [as]: refs[index] ?? {} } },
  }))
  const details = names.map((name) => {
    const lacks = (column: string) => mayLack?.includes(column) ?? true
    const schemas = membersOf(resource, cases[name] ?? {}, forms, lacks)
    return [variantName(resource, name), exactly(schemas, `${as} of ${name}.`)] as const
  })
  return [[own, { ...exactly(members, doc), allOf: chosen }], ...details, ...sums]
}

function membersOf(
  resource: Resource,
  members: RecordMembers,
  forms: DocumentForms,
  mayLack: (column: string) => boolean,
): Readonly<Record<string, Schema>> {
  const isNested = (member: RecordMembers[string]): member is Nested =>
    typeof member === 'object' && 'members' in member
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [
      name,
      isNested(member)
        ? exactly(membersOf(resource, member.members, forms, mayLack))
        : memberSchema(resource, member, forms, mayLack),
    ]),
  )
}

function totalsSchema(totals: NonNullable<Resource['totals']>, doc: string): Schema {
  const sums = Object.entries(totals).map(([name, member]): [string, Schema] => [
    name,
    { type: 'integer', minimum: 0, description: `Sum of ${totalMeaning(member)}; 0 over nothing.` },
  ])
  return exactly(Object.fromEntries(sums), `Sums over all that match, exact and of any size. Summed: ${doc}`)
}
