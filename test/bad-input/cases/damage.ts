import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePipe } from '../../support/make-pipe.ts'
import type { DamageCase, DataDamageCase } from '../case.ts'

const table = 'lake/iot_reward_shares'
const entryOf = (version: number) => `${table}/_delta_log/${String(version).padStart(20, '0')}.json`
const restore = 'restore it from a copy.'

/** The next entry of the log as another program writes it, with a commitInfo of its own. */
function addEntry(folder: string, action: object): void {
  const lines = [{ commitInfo: { timestamp: 1_738_110_600_000, operation: 'WRITE' } }, action]
  writeFileSync(join(folder, entryOf(2)), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

/** Damage to a lake whose table of IoT shares has versions 0 and 1. */
export const damages: readonly DamageCase[] = [
  {
    name: 'a log entry that is missing',
    wrong: 'An entry of the log is missing.',
    prepare: (folder) => rmSync(join(folder, entryOf(0))),
    sentence: `${entryOf(0)} is missing although version 1 exists; ${restore}`,
  },
  {
    name: 'a log entry that is cut',
    wrong: 'An entry of the log is cut.',
    prepare: (folder) => truncateSync(join(folder, entryOf(1)), 500),
    sentence: `${entryOf(1)} does not have the digest that it names; ${restore}`,
  },
  {
    name: 'a log entry that is empty',
    wrong: 'An entry of the log is empty.',
    prepare: (folder) => truncateSync(join(folder, entryOf(1)), 0),
    sentence: `${entryOf(1)} is empty; ${restore}`,
  },
  {
    name: 'a log entry with a flipped bit',
    wrong: 'A bit of the log is flipped.',
    prepare(folder) {
      const bytes = readFileSync(join(folder, entryOf(1)))
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 20) ^ 1, bytes.length - 20)
      writeFileSync(join(folder, entryOf(1)), bytes)
    },
    sentence: `${entryOf(1)} does not have the digest that it names; ${restore}`,
  },
  {
    name: 'a log entry that is no action',
    wrong: 'An entry of the log holds something else.',
    prepare: (folder) => writeFileSync(join(folder, entryOf(2)), 'nothing of Delta\n'),
    sentence: `${entryOf(2)} is cut or damaged: nothing of Delta… is not an action of the Delta protocol.`,
  },
  {
    name: 'a folder in the place of a log entry',
    wrong: 'A folder has the name of an entry of the log.',
    prepare: (folder) => mkdirSync(join(folder, entryOf(2))),
    sentence: `${entryOf(2)} is not a regular file; ${restore}`,
  },
  {
    name: 'a named pipe in the place of a log entry',
    wrong: 'A named pipe has the name of an entry of the log.',
    prepare: (folder) => makePipe(join(folder, entryOf(2))),
    sentence: `${entryOf(2)} is not a regular file; ${restore}`,
  },
  {
    name: 'a file in the place of a table',
    wrong: 'A file has the name of a table.',
    prepare(folder) {
      rmSync(join(folder, table), { recursive: true })
      writeFileSync(join(folder, table), '')
    },
    sentence: `${table}/_delta_log cannot be read: a file is in the place of a folder; give access to it, or ${restore}`,
  },
  {
    name: 'a table that asks for a newer reader',
    wrong: 'Another program has made the table one of a newer Delta reader.',
    prepare: (folder) => addEntry(folder, { protocol: { minReaderVersion: 3, minWriterVersion: 7 } }),
    sentence: `${entryOf(2)} asks for Delta reader version 3; this program reads version 1.`,
  },
  {
    name: 'a table that asks for a newer writer',
    wrong: 'Another program has made the table one of a newer Delta writer; it can still be read.',
    prepare: (folder) =>
      addEntry(folder, {
        protocol: { minReaderVersion: 1, minWriterVersion: 7, writerFeatures: ['appendOnly', 'rowTracking'] },
      }),
    sentence:
      `${table} asks for Delta writer version 7 with rowTracking; this program writes versions 1, 2, and 7 with ` +
      'appendOnly, invariants, ledgerlakeTags.',
    isReadable: true,
  },
  {
    name: 'a table of a newer data format',
    wrong: 'A newer build of this program has written the table in a data format of its own.',
    prepare: (folder) =>
      addEntry(folder, {
        metaData: {
          id: '00000000-0000-4000-8000-000000000000',
          format: { provider: 'parquet', options: {} },
          schemaString: '{"type":"struct","fields":[]}',
          partitionColumns: ['month'],
          configuration: { 'ledgerlake.format': '4' },
        },
      }),
    sentence: `${entryOf(2)} was written by a newer ledgerlake (data format 4); this one knows formats up to 3; upgrade it.`,
  },
  {
    name: 'a log entry that names a file elsewhere',
    wrong: 'An entry of the log names a file outside its table.',
    prepare: (folder) =>
      addEntry(folder, {
        add: {
          path: '../../etc/passwd',
          partitionValues: { month: '2025-01' },
          size: 4,
          modificationTime: 1_738_110_600_000,
          dataChange: true,
        },
      }),
    sentence: `${entryOf(2)} names the file "../../etc/passwd", which is not the path of a data file; ${restore}`,
  },
  {
    name: 'a file that another program added',
    wrong: 'Another program has added a file without the tags that hold its counts and sums.',
    prepare: (folder) =>
      addEntry(folder, {
        add: {
          path: 'part-0.parquet',
          partitionValues: { month: '2025-01' },
          size: 4,
          modificationTime: 1_738_110_600_000,
          dataChange: true,
        },
      }),
    sentence: `${table}/part-0.parquet was added without the tags of this program; remove it with what added it.`,
  },
]

const needsFile = (fault: string) =>
  `iot_reward_shares/month=N-N/part-RUN.parquet of the lake is damaged: ${fault}. ` +
  'Answers that need it are refused until it is repaired: ledgerlake verify --lake DIR --repair'

/** Damage that is found when the file is read. */
export const dataDamages: readonly DataDamageCase[] = [
  {
    name: 'a data file that is missing',
    wrong: 'A data file is missing.',
    prepare: (path) => rmSync(path),
    sentence: needsFile('it is missing'),
  },
  {
    name: 'a data file that is cut',
    wrong: 'A data file is cut.',
    prepare: (path) => truncateSync(path, statSync(path).size >> 1),
    sentence: needsFile('it has N bytes instead of N'),
  },
  {
    name: 'a data file that is empty',
    wrong: 'A data file is empty.',
    prepare: (path) => truncateSync(path, 0),
    sentence: needsFile('it has N bytes instead of N'),
  },
  {
    name: 'a data file that is scrambled',
    wrong: 'A data file holds something else.',
    prepare: (path) =>
      writeFileSync(
        path,
        readFileSync(path).map((byte) => byte ^ 0xff),
      ),
    sentence: needsFile('its SHA-256 is another one'),
  },
  {
    name: 'a data file whose pages are scrambled',
    wrong: 'The rows of a data file are scrambled.',
    prepare(path) {
      const bytes = readFileSync(path)
      writeFileSync(
        path,
        bytes.map((byte, at) => (at > 4 && at < bytes.length / 4 ? byte ^ 0xff : byte)),
      )
    },
    sentence: needsFile('its SHA-256 is another one'),
  },
]
