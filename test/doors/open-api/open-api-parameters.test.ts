import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readInstant } from '../../../src/base/values/instant.ts'
import { writeJson } from '../../../src/base/values/json-writer.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { filesPath, operationsOf } from '../../../src/doors/contract/operations.ts'
import { querySchema } from '../../../src/doors/contract/query-schema.ts'
import { searchQuery } from '../../../src/doors/contract/search-query.ts'
import { type Dialect, specifiedDialect } from '../../../src/doors/dialect/dialect.ts'
import { relay } from '../../../src/doors/dialect/relay.ts'
import { styleOf } from '../../../src/doors/documents/style-of.ts'
import { openApiDocument } from '../../../src/doors/open-api/document.ts'
import { snapshotName } from '../../../src/doors/open-api/paths/parameter-texts.ts'
import { searchArguments } from '../../../src/doors/open-api/paths/search-paths.ts'
import type { IntegerForm } from '../../../src/doors/open-api/schemas/schema.ts'
import { versionsOfId, writeSnapshotId } from '../../../src/lake/snapshot/snapshot-id.ts'
import { readExact } from '../../support/exact-json.ts'
import type { Documented, DocumentedParameter } from '../../support/servers/documented.ts'
import { scaled } from '../../support/tier.ts'

/** What the document allows for a parameter, compared with what the operation accepts. */

interface OwnParameter {
  readonly path: string
  readonly parameter: DocumentedParameter
  isTaken(text: string): boolean
}

/** A range that both ends may be moved in; days are summed of a year at most. */
function rangeOf(kind: string) {
  return kind === 'daily'
    ? { from: '2025-01-29', to: '2025-01-29T23:59:59.999999Z' }
    : { from: '0000-01-01', to: '9999-12-31T23:59:59Z' }
}

/** Given instead of a range. */
const allDays = { first_day: '2000-01-01', last_day: '2099-12-31' }

/** Every query parameter of every operation; other required ones are given. */
function parametersOf(dialect: Dialect, form: IntegerForm): readonly OwnParameter[] {
  const text = writeJson(openApiDocument(resources, { prefix: '', style: styleOf(dialect, form) }))
  const { paths } = readExact<Documented>(text)
  const operations = operationsOf(resources, dialect.queries).map((one) => ({ ...one, isOfFiles: false }))
  const files = operations
    .filter(({ kind }) => kind === 'list')
    .map((one) => ({ ...one, path: filesPath(one), isOfFiles: true }))
  return [...operations, ...files].flatMap(({ path, resource, kind, isOfFiles }) => {
    const check = querySchema(resource, kind, dialect.queries)
    const parameters = paths[path]?.get?.parameters ?? []
    const range = path.includes('reward-shares') ? rangeOf(kind) : {}
    return parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => ({
        path,
        parameter,
        isTaken(given: string) {
          try {
            const file = isOfFiles ? { format: 'csv' } : {}
            const isDay = parameter.name.endsWith('_day') && given.trim() !== ''
            const query = check({ ...(isDay ? allDays : range), ...file, [parameter.name]: given })
            return isOfFiles === (query.format !== undefined)
          } catch {
            return false
          }
        },
      }))
  })
}

const dates = [
  ...['2025-01-29', '2024-02-29', '2025-02-29', '1900-02-29', '2000-02-29', '2025-02-30', '2025-04-31'],
  ...[
    '2025-13-01',
    '2025-00-10',
    '2025-01-00',
    '2025-12-31',
    '25-01-01',
    '2025-1-1',
    '20250101',
    '٢٠٢٥-٠١-٢٩',
  ],
]
const times = [
  ...[
    '',
    'T00:00',
    't23:59',
    ' 00:00',
    'T24:00',
    'T00:60',
    'T00:00:00',
    'T00:00:60',
    'T1:00',
    'T00',
    '  00:00',
  ],
  ...['T00:00:00.1', 'T00:00:00,123456789012345678', 'T00:00:00.1234567890123456789', 'T00:00:00.'],
]
const zones = [
  ...['', 'Z', 'z', ' Z', '  Z', '\tZ', '+02:00', '-0330', ' 02', '+02', '+24:00', '+02:60', '+2', ' +02:00'],
  ...[' UTC', 'UTC', ' utc', ' UTC ', ' CET', ' '],
]
const names = [
  ...['gateway_reward', 'radio_reward', 'nobody', 'GATEWAY_REWARD', 'gateway_reward '],
  ...['iot', 'mobile', 'iot,mobile', 'iot,iot', 'IOT', 'iot,', ',', 'smoke', 'iot;mobile'],
]
const numbers = [
  ...['0', '1', '-1', '25', '100', '101', '1.5', '1e3', '+1', '0x1', '٣', 'NaN', 'null', '9007199254740'],
  ...['9007199254741', '9223372036854775807', '9223372036854775808', '-9223372036854775808'],
  ...[
    '-9223372036854775809',
    '18446744073709551615',
    '631280284262249471',
    '576460752303423487',
    '9'.repeat(31),
  ],
]
const words = [
  'number',
  'string',
  'text',
  'x',
  'a b',
  '%',
  '\u0000',
  'a\u0000b',
  '𝄞',
  'a\nb',
  "' OR 1=1",
  'é',
]
const ids = ['00000000-0000-8000-8000-000000000000', '00000000-0000-8000-8000-00000000000', '{}']

const moments = [...dates, ...times.flatMap((time) => zones.map((zone) => `2025-01-29${time}${zone}`))]
const otherTexts = [...names, ...numbers, ...words, ...ids]
/** Each parameter is given one moment of so many; all of them are given to parameters, one after the other. */
const SHARING = 4

/** Where the server looks closer than a schema can: not every integer among the cells is a cell, as_of is looked up, locale is of one format, and days are summed of a year. */
const isLookedAtCloser = ({ path, parameter: { name } }: OwnParameter) =>
  ['as_of', 'locale'].includes(name) ||
  name.endsWith('_location') ||
  (path.endsWith('/daily-totals') && ['from', 'to'].includes(name))

type Schema = Readonly<Record<string, unknown>>

/** Whether the text of a query parameter is one that its schema allows; with every digit, unlike validators of JSON. */
function allows({ schema }: DocumentedParameter, text: string): boolean {
  return fits(schema, text)
}

function fits({ type, ...schema }: Schema, text: string): boolean {
  const { enum: choices, pattern, minLength, anyOf, minimum, maximum } = schema
  if (Array.isArray(anyOf) && !anyOf.some((own: Schema) => fits(own, text))) return false
  if (Array.isArray(choices) && !choices.includes(text)) return false
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(text)) return false
  if (typeof minLength === 'bigint' && BigInt([...text].length) < minLength) return false
  if (type !== 'integer') return true
  if (!/^-?[0-9]+$/.test(text)) return false
  const isUnder = typeof minimum === 'bigint' && BigInt(text) < minimum
  return !isUnder && !(typeof maximum === 'bigint' && BigInt(text) > maximum)
}

/** Times that are drawn from the pattern. */
const RUNS = scaled(100, 500)

describe.each([
  ['as specified', specifiedDialect, 'number'],
  ...scaled([], [['as specified, asked for text', specifiedDialect, 'string'] as const]),
  ['of the hosted service', relay, 'number'],
] as const)('the parameters %s', (_which, dialect, form) => {
  const all = parametersOf(dialect, form)

  it('are collected from all operations', () => {
    expect(all.length).toBeGreaterThan(100)
    // A server of the hosted dialect takes no days.
    expect(new Set(all.map(({ parameter }) => parameter.name)).size).toBe(dialect === relay ? 37 : 39)
  })

  it('accept what the document allows, and refuse the rest', () => {
    const counts = { taken: 0, refused: 0 }
    const wrong = all.flatMap((one, own) => {
      const { path, parameter, isTaken } = one
      const texts = [...moments.filter((_, place) => (place + own) % SHARING === 0), ...otherTexts]
      return texts.flatMap((text) => {
        const [isAllowed, isIn] = [allows(parameter, text), isTaken(text)]
        counts[isIn ? 'taken' : 'refused'] += 1
        const isRight = isAllowed === isIn || (isLookedAtCloser(one) && (isAllowed ? !isIn : isIn))
        // A document fixes integers, since its replies have one form; as text not all of 19 digits fit 64 bits.
        const isFixed =
          parameter.name === 'integers' || (form === 'string' && /^-?9223372036854775/.test(text))
        return isRight || isFixed
          ? []
          : [`${path} ${parameter.name}=${JSON.stringify(text)} allowed: ${isAllowed}`]
      })
    })
    expect(wrong).toEqual([])
    expect(counts.taken).toBeGreaterThan(5000)
    expect(counts.refused).toBeGreaterThan(5000)
  })

  it('may be blank unless they are required', () => {
    const blanks = all.map(({ path, parameter, isTaken }) => [
      path,
      parameter.name,
      isTaken(''),
      isTaken(' '),
    ])
    expect(blanks).toEqual(
      all.map(({ path, parameter }) => {
        const isAllowed = parameter.allowEmptyValue === true || parameter.name === 'integers'
        return [path, parameter.name, isAllowed, isAllowed]
      }),
    )
  })

  it('accept as a time every text that matches the pattern', () => {
    const time = all.find(({ parameter }) => parameter.name === 'from') as OwnParameter
    const pattern = new RegExp(String(time.parameter.schema.pattern), 'u')
    let drawn = 0
    fc.assert(
      fc.property(fc.stringMatching(pattern), (text) => {
        drawn += 1
        expect([text, time.isTaken(text)]).toEqual([text, true])
      }),
      { seed: 1, numRuns: RUNS },
    )
    expect(drawn).toBe(RUNS)
  })
})

describe('a cell', () => {
  it.each(['631280284262249471', '599542359671177215', '577199624117288959'])(
    '%s is documented as a location, and accepted',
    (cell) => {
      for (const form of ['number', 'string'] as const) {
        const locations = parametersOf(specifiedDialect, form).filter(({ parameter }) =>
          parameter.name.endsWith('_location'),
        )
        // Of the list of hotspots and of its files.
        expect(locations).toHaveLength(4)
        for (const { parameter, isTaken } of locations)
          expect([allows(parameter, cell), isTaken(cell)]).toEqual([true, true])
      }
    },
  )
})

describe('a searched text', () => {
  it.each([
    'abc',
    ' abc',
    'abc\v',
    '\tab ',
    'a b',
    'ab',
    'a  ',
    `${'x'.repeat(200)}  `,
    'x'.repeat(201),
    'a\u0000c',
    '   ',
  ])('%j matches the documented schema exactly if the server accepts it', (q) => {
    const isTaken = () => {
      try {
        return searchQuery({ q }).q.length > 0
      } catch {
        return false
      }
    }
    expect(allows(searchArguments[0] as DocumentedParameter, q)).toBe(isTaken())
  })
})

describe('a snapshot', () => {
  const id = writeSnapshotId(resources.map((resource) => ({ resource, version: 7, digest: 'x' })))

  it.each([id, '3..12', '.0', id.slice(0, -1), 'l-d301eaef', id.toUpperCase(), '3', '2025-01-29', 'newest'])(
    '%s is in the pattern of as_of exactly if the server reads it as an id or a time',
    (text) => {
      const asOf = { name: 'as_of', in: 'query', ...snapshotName } as DocumentedParameter
      const isRead = versionsOfId(text) !== undefined || readInstant(text) !== undefined
      expect(allows(asOf, text)).toBe(isRead)
    },
  )
})

describe('closed sets', () => {
  const known = (name: string, path: string, dialect: Dialect) =>
    parametersOf(dialect, 'number').find((one) => one.path === path && one.parameter.name === name)?.parameter

  it('are enumerated if other names are refused', () => {
    const types = known('reward_type', '/l2/iot-reward-shares/totals', specifiedDialect)
    expect(types?.schema.enum).toEqual(['gateway_reward', 'operational_reward', 'unallocated_reward'])
    const networks = known('networks', '/l2/hotspots', specifiedDialect) as DocumentedParameter
    expect(networks.schema.type).toBe('string')
    const allowed = [
      'iot',
      'mobile',
      'iot,mobile',
      ' mobile ,\tiot',
      'smoke',
      'iot,smoke',
      'iot,',
      'iotmobile',
    ]
    expect(allowed.filter((text) => allows(networks, text))).toEqual(allowed.slice(0, 4))
  })

  it('are open for clients of the hosted service', () => {
    for (const [name, path] of [
      ['reward_type', '/l2/iot-reward-shares/totals'],
      ['networks', '/l2/hotspots'],
    ] as const) {
      const parameter = known(name, path, relay) as DocumentedParameter
      expect([name, allows(parameter, 'nobody'), allows(parameter, 'a\u0000')]).toEqual([name, true, false])
    }
  })
})
