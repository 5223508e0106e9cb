import { describe, expect, it } from 'vitest'
import { l1Accounts } from '../../src/catalog/l1/accounts.ts'
import { l1Gateways } from '../../src/catalog/l1/gateways.ts'
import { l1Packets } from '../../src/catalog/l1/packets.ts'
import { l1Rewards } from '../../src/catalog/l1/rewards.ts'
import { l1TransactionActors } from '../../src/catalog/l1/transaction-actors.ts'
import { l1Transactions } from '../../src/catalog/l1/transactions.ts'
import { labelGroups, nameText } from '../../src/explorer/ledger/labels.ts'
import { words } from '../../src/explorer/values/words.ts'
import { some } from '../support/some.ts'

const labels = Object.values(labelGroups).flatMap((group) => Object.entries(group))

describe('the labels of ledger records', () => {
  it.each(
    [l1Accounts, l1Gateways, l1Packets, l1Rewards, l1TransactionActors, l1Transactions].map(
      ({ name, record }) => [name, Object.keys(record)] as const,
    ),
  )('name every member of %s', (_, members) => {
    const labelled = new Set(labels.map(([name]) => name))
    expect(some(members).filter((member) => !labelled.has(member))).toEqual([])
  })

  it('are plain words, and each member has one', () => {
    expect(new Set(labels.map(([name]) => name)).size).toBe(labels.length)
    for (const [, label] of some(labels)) expect(label).toMatch(/^[A-Z][A-Za-z0-9 ]+$/)
  })

  it.each([
    ['payment_v2', 'Payment'],
    ['poc_witness', 'PoC witness'],
    ['dc_rewards', 'Data Credit rewards'],
    ['sc_opener', 'State channel opener'],
    ['dataonly', 'Data only'],
    ['payer', 'Payer'],
  ])('write %s of the chain as %s', (name, text) => {
    expect(words(name)).toBe(text)
  })

  it('write names of hotspots as on other pages', () => {
    expect(nameText('kind-coffee-fox')).toBe('Kind Coffee Fox')
  })
})
