import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { readTableLog } from '../../src/lake/log/delta-log.ts'
import type { MetaData } from '../../src/lake/log/log-actions.ts'
import { FORMAT, formatOf } from '../../src/lake/log/table-format.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { amendTable } from '../../src/write/store/amend-table.ts'
import { readEntries } from '../support/tables/delta-table.ts'
import { entryPath, rewriteEntry, toFormatOne } from '../support/tables/log-entries.ts'
import { lakeOf, stageFile } from '../support/tables/staged-files.ts'

const label = { operation: 'INGEST', runId: 'test' }

interface Field {
  readonly name: string
  readonly type: unknown
  readonly nullable: boolean
  readonly metadata: object
}

/** Kinds of the actions of an entry. */
const kindsOf = (table: string, version: number) =>
  readEntries(table)[version]?.actions.map((action) => Object.keys(action).join())

function metaDataOf(table: string, version: number) {
  const metaData = readEntries(table)[version]?.actions.find((action) => action.metaData)?.metaData ?? {}
  const { fields } = JSON.parse(String(metaData.schemaString ?? '{"fields":[]}')) as { fields: Field[] }
  return { ...metaData, fields }
}

function editMetaData(table: string, edit: (metaData: Readonly<Record<string, unknown>>) => object): void {
  rewriteEntry(entryPath(table, 0), (actions) =>
    actions.map((action) =>
      action.metaData ? { metaData: { ...action.metaData, ...edit(action.metaData) } } : action,
    ),
  )
}

/** Makes the schema in the first entry another one. */
function editFields(table: string, edit: (fields: readonly Field[]) => readonly Field[]): void {
  editMetaData(table, ({ schemaString }) => {
    const schema = JSON.parse(String(schemaString)) as { fields: readonly Field[] }
    return { schemaString: JSON.stringify({ ...schema, fields: edit(schema.fields) }) }
  })
}

describe('a table of a build before data format 2', () => {
  it('is upgraded by the next commit, once, and stays the same table', async () => {
    const { lake, table, commit } = await lakeOf(2)
    toFormatOne(table)
    const before = metaDataOf(table, 0)
    const old = await new Lake(lake).latest()
    await commit('c.gz')
    await commit('d.gz')
    expect(kindsOf(table, 2)).toEqual(['commitInfo', 'protocol', 'metaData', 'add'])
    expect(kindsOf(table, 3)).toEqual(['commitInfo', 'add'])
    expect(metaDataOf(table, 2)).toEqual({
      ...before,
      configuration: {
        'delta.deletedFileRetentionDuration': 'interval 168 hours',
        'delta.checkpointInterval': '10',
        'ledgerlake.format': '3',
      },
    })
    expect((await readTableLog(table))?.protocol?.minWriterVersion).toBe(7)
    const again = await new Lake(lake).at(old.id)
    expect(again?.table(iotRewardShares).files).toEqual(old.table(iotRewardShares).files)
    expect((await new Lake(lake).latest()).table(iotRewardShares).files).toHaveLength(4)
  })

  it('is also upgraded by a commit that removes files', async () => {
    const { lake, table, staging } = await lakeOf(2)
    toFormatOne(table)
    const merged = await stageFile(staging, 'merged', ['share-0.gz', 'share-1.gz'])
    await amendTable(lake, iotRewardShares, { ...label, operation: 'OPTIMIZE' }, async ({ files }) => ({
      stale: files,
      staged: [merged],
      dataChange: false,
    }))
    expect(kindsOf(table, 2)).toEqual(['commitInfo', 'protocol', 'metaData', 'remove', 'remove', 'add'])
    expect(readEntries(table)[2]?.actions[0]?.commitInfo).toMatchObject({
      operation: 'OPTIMIZE',
      operationParameters: { command: 'OPTIMIZE' },
      isBlindAppend: false,
      readVersion: 1,
      operationMetrics: { numFiles: '1', numOutputRows: '2', numRemovedFiles: '2' },
    })
  })

  it('keeps foreign properties and a lower writer version', async () => {
    const { table, commit } = await lakeOf(2)
    editMetaData(table, () => ({ configuration: { 'delta.checkpointInterval': '7', owner: 'them' } }))
    await commit('c.gz')
    expect(metaDataOf(table, 2)).toMatchObject({
      configuration: { owner: 'them', 'delta.checkpointInterval': '10' },
    })
  })
})

describe('a table whose schema', () => {
  it('lacks columns gets them with the next commit, in the order of the declaration', async () => {
    const { table, commit } = await lakeOf(2)
    const declared = metaDataOf(table, 0).fields.map(({ name }) => name)
    editFields(table, (fields) => fields.filter(({ name }) => name !== 'amount' && name !== 'ordinal'))
    expect([...((await readTableLog(table))?.columns.keys() ?? [])]).not.toContain('amount')
    await commit('c.gz')
    await commit('d.gz')
    expect(metaDataOf(table, 2).fields.map(({ name }) => name)).toEqual(declared)
    expect(declared).toEqual(expect.arrayContaining(['amount', 'ordinal', 'month']))
    expect(kindsOf(table, 3)).toEqual(['commitInfo', 'add'])
    expect([...((await readTableLog(table))?.columns ?? [])].at(0)).toEqual([
      'source_file',
      { type: '"string"', nullable: false },
    ])
  })

  it.each([
    [
      'has more columns',
      (fields: readonly Field[]) => [
        ...fields,
        { name: 'colour', type: 'string', nullable: true, metadata: {} },
        { name: 'weight', type: 'decimal(20,0)', nullable: true, metadata: {} },
      ],
      'colour (string), weight (decimal(20,0))',
    ],
    [
      'has a column of another type',
      (fields: readonly Field[]) =>
        fields.map((own) => (own.name === 'amount' ? { ...own, type: 'long' } : own)),
      'amount (long)',
    ],
  ])('%s is read, but not written', async (_, edit, told) => {
    const { lake, table, commit } = await lakeOf(2)
    editFields(table, edit)
    expect((await new Lake(lake).latest()).table(iotRewardShares).files).toHaveLength(2)
    const files = readdirSync(join(table, 'month=2025-01'))
    await expect(commit('c.gz')).rejects.toMatchObject({
      code: 'lake_unsupported',
      message:
        `${table} has columns that this program does not declare: ${told}; ` +
        'a newer ledgerlake wrote them; upgrade this one.',
    })
    expect(readdirSync(join(table, 'month=2025-01'))).toEqual(files)
    expect(existsSync(entryPath(table, 2))).toBe(false)
  })

  it('differs only in the order or the comments of its columns is not written again', async () => {
    const { table, commit } = await lakeOf(2)
    editFields(table, (fields) =>
      [...fields].reverse().map((own) => ({ ...own, metadata: { comment: 'Other.' } })),
    )
    await commit('c.gz')
    expect(kindsOf(table, 2)).toEqual(['commitInfo', 'add'])
  })

  it.each(['{"type":"struct"}', '{"fields":[7]}', '{"fields":[{"name":7}]}', '{'])(
    'is not a schema is refused: %s',
    async (schemaString) => {
      const { lake, table } = await lakeOf(2)
      editMetaData(table, () => ({ schemaString }))
      await expect(new Lake(lake).latest()).rejects.toMatchObject({
        code: 'lake_damaged',
        message: expect.stringContaining(`${entryPath(table, 0)} has a schemaString that is not a schema`),
      })
    },
  )
})

it('a table has a data format, and format 1 if it names none', async () => {
  const { table } = await lakeOf(1)
  const formatNow = async () => formatOf((await readTableLog(table))?.metaData as MetaData)
  expect(await formatNow()).toBe(FORMAT)
  toFormatOne(table)
  expect(await formatNow()).toBe(1)
})

it('a log is read without optional members of the protocol, such as the time of a commit', async () => {
  const { lake, table } = await lakeOf(2)
  editMetaData(table, () => ({ format: { provider: 'parquet' } }))
  const before = (await new Lake(lake).latest()).table(iotRewardShares)
  rewriteEntry(entryPath(table, 1), (actions) =>
    actions.map((action) =>
      action.commitInfo ? { commitInfo: { ...action.commitInfo, timestamp: undefined } } : action,
    ),
  )
  const { version, committedAt, rows } = (await new Lake(lake).latest()).table(iotRewardShares)
  expect([version, rows]).toEqual([1, 2])
  expect(committedAt).toBeLessThanOrEqual(before.committedAt)
})

describe('a table of a newer data format', () => {
  const newer = { configuration: { 'ledgerlake.format': '4' } }

  it('is neither read nor written, and the error says to upgrade', async () => {
    const { lake, table, commit } = await lakeOf(2)
    editMetaData(table, () => newer)
    const refusal = {
      code: 'lake_unsupported',
      message:
        `${entryPath(table, 0)} was written by a newer ledgerlake (data format 4); ` +
        'this one knows formats up to 3; upgrade it.',
    }
    await expect(new Lake(lake).latest()).rejects.toMatchObject(refusal)
    await expect(commit('c.gz')).rejects.toMatchObject(refusal)
  })

  it('is refused as damaged when the format is no number', async () => {
    const { lake, table } = await lakeOf(2)
    editMetaData(table, () => ({ configuration: { 'ledgerlake.format': 'x' } }))
    await expect(new Lake(lake).latest()).rejects.toMatchObject({
      code: 'lake_damaged',
      message: `${entryPath(table, 0)} has the ledgerlake.format "x"; expected a number.`,
    })
  })
})
