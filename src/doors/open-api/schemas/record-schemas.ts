import { hasDays } from '../../../catalog/embeddings.ts'
import type { Nested, RecordMembers } from '../../../catalog/members.ts'
import { idMeaning, totalMeaning } from '../../../catalog/records/member-meaning.ts'
import type { Embedding, Resource } from '../../../catalog/resource.ts'
import { memberSchema } from './member-schema.ts'
import type { DocumentForms } from './reply-forms.ts'
import {
  described,
  exactly,
  integerSchema,
  orNull,
  pascalCase,
  reference,
  type Schema,
  withCoverage,
} from './schema.ts'
import { seriesMetaSchema, seriesSchema } from './series-schemas.ts'

/** `iot_reward_shares` -> `IotRewardShare`, the name of one record. */
export function recordName({ name }: Resource): string {
  return pascalCase(name.replace(/s$/, ''))
}

export function totalsName(resource: Resource): string {
  return `${recordName(resource)}Totals`
}

export function seriesName(resource: Resource): string {
  return `${recordName(resource)}Series`
}

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

/** Schemas of records, variants and totals, by name. */
export function recordSchemas(
  resources: readonly Resource[],
  forms: DocumentForms,
): Readonly<Record<string, Schema>> {
  const withRecord = resources.filter(({ record }) => record !== undefined)
  return Object.fromEntries(withRecord.flatMap((resource) => schemasOf(resource, forms)))
}

type NamedSchema = readonly [name: string, schema: Schema]

function schemasOf(resource: Resource, forms: DocumentForms): readonly NamedSchema[] {
  const { doc, columns, record = {}, embeds = {}, variants, totals } = resource
  const members: Record<string, Schema> = {
    id: { type: 'string', format: 'uuid', description: idMeaning(resource) },
    ...membersOf(resource, record, forms, (column) => columns[column]?.nullable ?? true),
    ...Object.fromEntries(Object.entries(embeds).map(([name, embedding]) => [name, embeddings[embedding]])),
  }
  const schemaName = recordName(resource)
  const sums =
    totals === undefined ? [] : [[totalsName(resource), totalsSchema(resource, totals, forms)] as const]
  const series =
    resource.series === undefined
      ? []
      : [
          [seriesName(resource), seriesSchema(resource, forms)] as const,
          [`${seriesName(resource)}Meta`, seriesMetaSchema(resource, forms)] as const,
        ]
  if (variants === undefined) return [[schemaName, exactly(members, doc)], ...sums, ...series]
  return [...variantSchemas(resource, variants, members, forms), ...sums, ...series]
}

/**
 * Schemas of a record with variants, one each, and of their details. Only the union requires the
 * discriminator: Rust clients consume it before they read a variant.
 */
function variantSchemas(
  resource: Resource,
  { on, as, cases, mayLack }: NonNullable<Resource['variants']>,
  common: Readonly<Record<string, Schema>>,
  forms: DocumentForms,
): readonly NamedSchema[] {
  const { doc, columns } = resource
  const variants = Object.entries(cases).map(([choice, members]) => {
    const name = recordName(resource) + pascalCase(choice)
    const lacks = (column: string) => mayLack?.includes(column) ?? true
    const detail = exactly(membersOf(resource, members, forms, lacks), `${as} of ${choice}.`)
    const record = exactly(
      {
        ...common,
        [on]: { type: 'string', enum: [choice], description: columns[on]?.doc ?? '' },
        [as]: reference('schemas', `${name}Detail`),
      },
      `${doc} Its ${on} is ${choice}.`,
    )
    const required = Object.keys(record.properties ?? {}).filter((member) => member !== on)
    return { choice, name, record: { ...record, required }, detail }
  })
  const union: Schema = {
    description: `${doc} Its ${on} chooses the variant.`,
    required: [on],
    oneOf: variants.map(({ name }) => reference('schemas', name)),
    discriminator: {
      propertyName: on,
      mapping: Object.fromEntries(
        variants.map(({ choice, name }) => [choice, `#/components/schemas/${name}`]),
      ),
    },
  }
  const variantEntries = variants.flatMap(({ name, record, detail }): readonly NamedSchema[] => [
    [name, record],
    [`${name}Detail`, detail],
  ])
  return [[recordName(resource), union], ...variantEntries]
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

function totalsSchema(
  resource: Resource,
  totals: NonNullable<Resource['totals']>,
  { integers }: DocumentForms,
): Schema {
  const sums = Object.entries(totals).map(([name, member]): [string, Schema] => [
    name,
    described(integerSchema(integers, 'sum'), `Sum of ${totalMeaning(member)}; 0 over nothing.`),
  ])
  const schema = exactly(Object.fromEntries(sums), `Sums over all that match, exact. Summed: ${resource.doc}`)
  if (!hasDays(resource)) return schema
  return withCoverage(schema)
}
