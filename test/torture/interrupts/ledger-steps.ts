import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeSampleLedger } from '../../../src/write/sample/ledger/write-ledger.ts'
import { writeHotspots } from '../../../src/write/sample/write-hotspots.ts'
import {
  type ArchiveFolder,
  archiveFolders,
  readArchive,
  readHotspots,
  readMakers,
} from '../../support/archive/records.ts'
import {
  type Craft,
  craftFaulty,
  craftHotspots,
  craftPart,
  everyNth,
  NEWER,
  rowsIn,
  rowsOf,
} from './ledger-parts.ts'
import { sampleRows } from './oracle-steps.ts'
import { makeSteps, type Step } from './steps.ts'

/**
 * An archive in many parts with makers, hotspots and oracle files; newer states of half the accounts, gateways and hotspots, and
 * burns of which some are refused; other bytes for a part of the rewards.
 */
export async function makeLedgerSteps(folder: string, transactions: number): Promise<readonly Step[]> {
  let first = ''
  const partRows = Math.ceil(transactions / 2)
  return await makeSteps(folder, {
    archive: async (into) => {
      first = into
      const network = { out: into, seed: 7, hotspots: 300 }
      await writeSampleLedger({ ...network, transactions, partRows })
      await writeHotspots(network)
      return [
        ...rowsIn(into, ...archiveFolders),
        ...rowsOf('makers', readMakers(join(into, 'l2'))),
        ...rowsOf('hotspots', readHotspots(join(into, 'l2'))),
        ...(await sampleRows(join(into, 'oracles'), '2025-01-30', 20)),
      ]
    },
    'newer states': async (into) => {
      craftPart(first, into, 'account_inventory', NEWER, everyNth(2, 'balance'))
      craftPart(first, into, 'gateway_inventory', NEWER, everyNth(2, 'nonce'))
      const states = rowsIn(into, 'account_inventory', 'gateway_inventory')
      return [...states, ...craftFaulty(first, into), ...craftHotspots(first, into)]
    },
    'another part': async (into) => {
      craftPart(first, into, 'rewards', 'data_xab.csv.gz', everyNth(7, 'amount'))
      return rowsIn(into, 'rewards')
    },
  })
}

/** A few rewards and accounts, and newer states of half the accounts. */
export async function makeTinyLedger(folder: string): Promise<readonly Step[]> {
  const whole = join(folder, 'whole')
  await writeSampleLedger({ out: whole, seed: 7, hotspots: 5, transactions: 100, partRows: 200 })
  const fewFirst: Craft = (cells, place) => (place < 6 ? cells : undefined)
  const steps = await makeSteps(folder, {
    archive: async (into) => {
      const folders = ['rewards', 'account_inventory'] as const
      for (const name of folders) craftPart(whole, into, name, 'data_xaa.csv.gz', fewFirst)
      return rowsIn(into, ...folders)
    },
    'newer states': async (into) => {
      craftPart(join(folder, 'archive'), into, 'account_inventory', NEWER, everyNth(2, 'balance'))
      return rowsIn(into, 'account_inventory')
    },
  })
  rmSync(whole, { recursive: true })
  return steps
}

/** The program sorts tables of 100,000 rows and more; the made-up ledger has four rewards for a transaction. */
const TRANSACTIONS_TO_SORT = 25_500

/** As many rewards and actors as are sorted for filters, and nothing else; the rewards come along for a plain reduction. */
export async function makeSortedInputs(folder: string) {
  const [step] = await makeSteps(folder, {
    'nothing but sorting': async (into) => {
      const sizes = { transactions: TRANSACTIONS_TO_SORT, partRows: 40_000, seed: 8, hotspots: 5000 }
      await writeSampleLedger({ ...sizes, out: into })
      const kept: readonly ArchiveFolder[] = ['transaction_actors', 'rewards']
      for (const name of archiveFolders.filter((one) => !kept.includes(one)))
        rmSync(join(into, 'blockchain-etl-export', name), { recursive: true })
      return rowsIn(into, ...kept)
    },
  })
  const rewards = readArchive(join(folder, 'nothing-but-sorting'), 'rewards').map(({ record }) => record)
  return { step: step as Step, rewards }
}
