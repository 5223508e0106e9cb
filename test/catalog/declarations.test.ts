import { describe, expect, it } from 'vitest'
import type { Kind } from '../../src/catalog/column.ts'
import type { Derivation, Member, RecordMembers } from '../../src/catalog/members.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { resourceNamed, resources, rewardShares } from '../../src/catalog/resources.ts'

/** The kinds that each derivation applies to. */
const derivable: Readonly<Record<Derivation, readonly Kind[]>> = {
  formatted: ['amount'],
  offloaded_bytes: ['amount'],
  number: ['decimal'],
  truncated: ['text'],
}

/** Kinds that have an order which every engine and every reader agrees on. */
const ordered: readonly Kind[] = [
  'text',
  'choice',
  'amount',
  'long',
  'whole',
  'integer',
  'instant',
  'seconds',
]

function columnOf(member: Member): string {
  return typeof member === 'string' ? member : member.of
}

/** Members of a record, flattened. */
function flat(members: RecordMembers): readonly (readonly [string, Member])[] {
  return Object.entries(members).flatMap(([name, member]) =>
    typeof member === 'object' && 'members' in member ? flat(member.members) : [[name, member] as const],
  )
}

function allMembers(resource: Resource): readonly (readonly [string, Member])[] {
  return [
    ...flat(resource.record ?? {}),
    ...Object.values(resource.variants?.cases ?? {}).flatMap((members) => Object.entries(members)),
    ...Object.entries(resource.totals ?? {}),
  ]
}

it('no two resources share a name, a path or an operation', () => {
  const unique = (names: readonly (string | undefined)[]) => {
    const given = names.filter((name) => name !== undefined)
    expect(new Set(given).size).toBe(given.length)
    return given.length
  }
  expect(unique(resources.map((resource) => resource.name))).toBeGreaterThanOrEqual(5)
  unique(resources.map((resource) => resource.rest?.path))
  unique(resources.flatMap(({ rest }) => [rest?.list, rest?.totals]))
})

it('resourceNamed finds a resource by its name and by no other', () => {
  for (const resource of resources) expect(resourceNamed(resource.name)).toBe(resource)
  for (const name of ['', 'nobody', '__proto__', 'constructor', 'Rejects'])
    expect(resourceNamed(name)).toBeUndefined()
})

it.each(Object.entries(rewardShares))(
  'table, kinds and tokens of the reward shares of %s contain its name',
  (id, resource) => {
    expect(resource.name).toBe(`${id}_reward_shares`)
    expect(resource.rest.path).toBe(`/l2/${id}-reward-shares`)
    expect(resource.arrival.kind).toBe(`${id}_reward_share`)
  },
)

it('each rule below applies to some table', () => {
  const parts = [
    'holds',
    'partition',
    'statistics',
    'record',
    'totals',
    'variants',
    'filters',
    'rest',
  ] as const
  expect(parts.filter((part) => resources.every((resource) => resource[part] == null))).toEqual([])
})

/** Tests only the resources that a rule applies to. */
const testIf = (has: unknown) => (has ? it : (_name: string, _test: () => void) => {})

describe.each(resources.map((resource) => [resource.name, resource] as const))('%s', (_, resource) => {
  const columns = Object.keys(resource.columns)

  it('describes itself and each of its columns', () => {
    for (const doc of [resource.doc, ...Object.values(resource.columns).map((column) => column.doc)]) {
      expect(doc).toMatch(/^\S.*\.$/)
    }
    for (const [name, filter] of Object.entries(resource.filters ?? {})) {
      expect(filter.doc, name).toMatch(/^\S.*\.$/)
    }
    if (resource.rest !== undefined) expect(resource.rest.summary.trim()).not.toBe('')
  })

  it('is named in lower case with underscores, as are its columns', () => {
    for (const name of [resource.name, ...columns]) expect(name).toMatch(/^[a-z][a-z\d]*(_[a-z\d]+)*$/)
  })

  it('lists at least one choice, and none twice', () => {
    for (const [name, { kind, choices }] of Object.entries(resource.columns)) {
      if (kind !== 'texts') expect(choices !== undefined, name).toBe(kind === 'choice')
      if (choices === undefined) continue
      expect(choices.length, name).toBeGreaterThan(0)
      expect(new Set(choices).size, name).toBe(choices.length)
    }
  })

  it('is ordered by existing columns, each once, of sortable kinds', () => {
    const steps = resource.order.map((step) => step.column)
    expect(steps.length).toBeGreaterThan(0)
    expect(new Set(steps).size).toBe(steps.length)
    for (const step of steps) expect(ordered, step).toContain(resource.columns[step]?.kind)
  })

  testIf(resource.holds === 'state')('has one row for each key, by which its order is total', () => {
    expect(resource.columns[resource.key ?? '']).toMatchObject({ kind: 'text', nullable: false })
    expect(resource.order.at(-1)).toEqual({ column: resource.key })
    expect(resource.partition).toBeNull()
  })

  testIf(columns.includes('ordinal') && resource.holds !== 'state')(
    'orders rows of one artifact by their ordinal, so that no two rows compare equal',
    () => {
      const steps = resource.order.map((step) => step.column)
      expect(steps.at(-1)).toBe('ordinal')
      expect(steps).toContain('source_file')
      expect(resource.columns.source_file).toMatchObject({ kind: 'text', nullable: false })
      expect(resource.columns.ordinal).toMatchObject({ kind: 'long', nullable: false })
    },
  )

  testIf(resource.partition)('is partitioned by a time or a block that every row has', () => {
    const { by, of } = resource.partition ?? { by: '', of: '' }
    expect(columns).not.toContain(by)
    const kinds: Readonly<Record<string, readonly Kind[]>> = {
      month: ['instant', 'seconds'],
      block_range: ['whole'],
    }
    expect(kinds[by]).toContain(resource.columns[of]?.kind)
    expect(resource.columns[of]?.nullable).toBe(false)
  })

  testIf(resource.statistics)(
    'has statistics only where they locate pages, with groups that ingest can tell apart: by partition and variant',
    () => {
      const { period = '', type = '' } = resource.statistics ?? {}
      const leading = [period, type, 'source_file'].map((column) => ({ column }))
      expect(resource.order.slice(0, 3)).toEqual(leading)
      expect([period, type]).toEqual([resource.partition?.of, resource.variants?.on])
      expect(resource.columns[period]?.kind).toBe('instant')
    },
  )

  testIf(allMembers(resource).length > 0)('derives members only from columns of a fitting kind', () => {
    for (const [name, member] of allMembers(resource)) {
      expect(columns, name).toContain(columnOf(member))
      if (typeof member === 'string') continue
      expect(derivable[member.derive], name).toContain(resource.columns[member.of]?.kind)
    }
  })

  const decimals = columns.filter((name) => resource.columns[name]?.kind === 'decimal')
  testIf(decimals.length > 0)('keeps the exact text of every decimal beside it', () => {
    for (const name of decimals) {
      expect(resource.columns[`${name}_exact`], name).toMatchObject({ kind: 'text', nullable: true })
    }
  })

  testIf(resource.totals)('sums amounts only', () => {
    for (const [name, member] of Object.entries(resource.totals ?? {})) {
      expect(resource.columns[columnOf(member)]?.kind, name).toBe('amount')
      expect(name.startsWith('total_'), name).toBe(true)
    }
  })

  testIf(resource.variants)(
    'has exactly one variant for every value that chooses one, of columns that may be null',
    () => {
      const { on, as, cases } = resource.variants ?? { on: '', as: '', cases: {} }
      expect(resource.columns[on]).toMatchObject({ kind: 'choice', nullable: false })
      expect(Object.keys(cases).sort()).toEqual([...(resource.columns[on]?.choices ?? [])].sort())
      expect(Object.keys(resource.record ?? {})).not.toContain(as)
      for (const members of Object.values(cases)) {
        expect(Object.keys(members).length).toBeGreaterThan(0)
        for (const member of Object.values(members)) {
          expect(resource.columns[columnOf(member)]?.nullable, columnOf(member)).toBe(true)
        }
      }
    },
  )

  testIf(resource.filters)('filters columns that exist; a range has two ends on one instant', () => {
    const filters = Object.entries(resource.filters ?? {})
    for (const [name, { column, match }] of filters) {
      expect(columns, name).toContain(column)
      const kind = resource.columns[column]?.kind
      if (match === 'within') expect(kind, name).toBe('cell')
      else if (match === 'anyOf') expect(kind, name).toBe('texts')
      else if (match === 'named') expect(kind, name).toBe('text')
      else if (match !== 'equals') expect(['instant', 'seconds'], name).toContain(kind)
    }
    const ends = filters.filter(([, { match }]) => match.startsWith('at')).map(([, filter]) => filter)
    expect(new Set(ends.map((end) => end.column)).size).toBeLessThanOrEqual(1)
    expect(new Set(ends.map((end) => end.match)).size).toBe(ends.length)
  })

  testIf(resource.filters)('takes no filter whose name a list needs for itself', () => {
    const own = ['page', 'per_page', 'integers', 'as_of']
    expect(Object.keys(resource.filters ?? {}).filter((name) => own.includes(name))).toEqual([])
  })

  testIf(resource.rest)('answers REST only where there is something to answer with', () => {
    const { rest } = resource
    expect(rest?.path).toMatch(/^\/l[12]\/[a-z-]+$/)
    expect(rest?.list).toMatch(/^get-[a-z\d-]+$/)
    expect(Object.keys(resource.record ?? {}).length).toBeGreaterThan(0)
    expect(rest?.totals !== undefined).toBe(resource.totals !== undefined)
  })
})
