import type { Fault } from './fault.ts'

/** Statements: which day a reward belongs to, what has a price, and what they are compared with; and which spellings are one wallet. */
export const statementFaults: readonly Fault[] = [
  {
    what: 'every key of 32 bytes is a wallet, whatever its type',
    file: 'src/derive/wallet.ts',
    find: ' && HEAD.every((byte, at) => bytes[at] === byte)',
    replace: '',
    tests: ['test/derive/wallet.test.ts'],
  },
  {
    what: 'a filter by a wallet takes one spelling alone',
    file: 'src/derive/filter-readers.ts',
    find: 'spellWallet(wallet, text)',
    replace: 'spellWallet(undefined, text)',
    tests: ['test/server/wallets.test.ts'],
  },
  {
    what: 'a reward belongs to the day in which its epoch ends',
    file: 'src/statement/reward-rows.ts',
    find: 'isStated: from <= middle && middle <= to',
    replace: 'isStated: from <= end && end <= to',
    tests: ['test/statement/statement.test.ts'],
  },
  {
    what: 'days of a zone are days of UTC',
    file: 'src/derive/days.ts',
    find: 'if (startOf(middle) < day) before = middle',
    replace: 'if (middle < guess) before = middle',
    tests: ['test/statement/statement.test.ts'],
  },
  {
    what: 'a sum of USD passes over what has no price',
    file: 'src/statement/sums.ts',
    find: 'usd: this.unpriced > 0n ? null : usd',
    replace: 'usd',
    tests: ['test/statement/statement.test.ts'],
  },
  {
    what: 'a price of another block counts',
    file: 'src/statement/ledger-facts.ts',
    find: 'price === 0n || !blocks.has(block)',
    replace: '!blocks.has(block)',
    tests: ['test/statement/statement.test.ts'],
  },
  {
    what: 'rewards of L1 of an owner are those of its hotspots, whoever was paid',
    file: 'src/statement/statement.ts',
    find: 'account === undefined ? undefined : { by: { account_address: account }, ...days }',
    replace: 'undefined as LedgerShare | undefined',
    tests: ['test/statement/ledger.test.ts'],
  },
  {
    what: 'what L1 paid to others for the hotspots of an owner is passed over',
    file: 'src/statement/ledger-sums.ts',
    find: 'if (paid !== account)',
    replace: 'if (paid === account)',
    tests: ['test/statement/ledger.test.ts'],
  },
  {
    what: 'keys beside an owner add days to those of its hotspots',
    file: 'src/statement/holdings.ts',
    find: 'given.has(key) ? []',
    replace: 'false ? []',
    tests: ['test/statement/ledger.test.ts'],
  },
  {
    what: 'a file reads what the others need',
    file: 'src/statement/statement.ts',
    find: 'shareTables.filter((table) => paysIn(table, only))',
    replace: 'shareTables',
    tests: ['test/statement/over-http.test.ts'],
  },
  {
    what: 'totals that differ are passed over',
    file: 'src/statement/tie-out.ts',
    find: 'if (own !== totals[name])',
    replace: 'if (totals[name] === undefined)',
    tests: ['test/statement/failures.test.ts'],
  },
  {
    what: 'rewards of L1 are compared with nothing',
    file: 'src/statement/ledger-tie.ts',
    find: 'if (total !== earned) damaged',
    replace: 'if (total !== total) damaged',
    tests: ['test/statement/failures.test.ts'],
  },
]
