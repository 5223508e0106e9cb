import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeSampleLedger } from '../../../src/write/sample/ledger/write-ledger.ts'
import { writeCsvPart } from '../archive/csv.ts'
import { type Archived, type ArchiveFolder, readArchive, readArchiveRows } from '../archive/records.ts'
import type { Step } from '../kills/inputs.ts'
import { craftPart, sumsOf } from '../kills/ledger-inputs.ts'

const ROWS = 6
const PART = 'data_xaa.csv.gz'

/** The first rows of a folder of the archive, in a part of their own. */
function copyFirst(from: string, to: string, folder: ArchiveFolder): readonly Archived[] {
  const rows = readArchiveRows(from, folder).slice(0, ROWS)
  const path = join(to, 'blockchain-etl-export', folder, PART)
  writeCsvPart(
    path,
    rows.map(({ cells }) => Object.values(cells)),
    Object.keys(rows[0]?.cells ?? {}),
  )
  return readArchive(from, folder)
    .slice(0, ROWS)
    .map(({ record }, ordinal) => ({ record, file: PART, ordinal }))
}

/** Two ingests: a few rewards and accounts, and newer states of half the accounts. */
export async function makeTinyLedger(folder: string): Promise<readonly Step[]> {
  const [whole, first, second] = ['whole', 'archive', 'newer'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeSampleLedger({ out: whole, seed: 7, hotspots: 5, transactions: 100, partRows: 200 })
  const rewards = sumsOf('l1_rewards', copyFirst(whole, first, 'rewards'))
  const accounts = copyFirst(whole, first, 'account_inventory')
  const newer = craftPart(first, second, ['account_inventory', 'data_yaa.csv.gz', 2, 'balance'])
  rmSync(whole, { recursive: true })
  return [
    { name: 'archive', args: [first], sources: [...rewards, ...sumsOf('l1_accounts', accounts)] },
    {
      name: 'newer states',
      args: [second],
      sources: [...rewards, ...sumsOf('l1_accounts', [...accounts, ...newer])],
    },
  ]
}
