import { expect } from 'vitest'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { iotReward, makeLake } from '../lakes/make-lake.ts'
import type { Finished } from '../servers/run-program.ts'
import { authorityFile, type FakeTrino, openFakeTrino, rowsReply } from './fake-trino.ts'

/** Who may ask the cluster. */
const account = { user: 'reader', password: 'hush:ü' }

/** The environment of a program that knows the password, and trusts who has signed the certificate. */
export const trusted = { NODE_EXTRA_CA_CERTS: authorityFile, LEDGERLAKE_TRINO_PASSWORD: account.password }

/** A small lake, and clusters with TLS and a password that have its tables. */
export async function openSecured() {
  const share = iotReward('2025-01-31', 1, { beacon_amount: 7n })
  const { folder: lake } = await makeLake({ 'iot/iot_reward_share.1.gz': [share] })
  const { tables } = await new Lake(lake).latest()
  const committed = new Map(tables.map(({ resource, committedAt }) => [resource.name, committedAt]))

  function answer(sql: string) {
    const [, table = ''] = /"(\w+)\$history"/.exec(sql) ?? []
    if (table !== '') return rowsReply(['at'], [String(committed.get(table))])
    return sql.startsWith('SHOW') ? rowsReply(['Table']) : rowsReply(['count'], [1])
  }
  const asked = (server: string) => ['--lake', lake, '--trino-server', server, '--trino-user', account.user]
  return {
    lake,
    asked,
    openCluster: (more: { readonly goesOnAt?: string } = {}): Promise<FakeTrino> =>
      openFakeTrino(answer, { isSecure: true, account, ...more }),
    /** What a program has said; Error when the password is in it. */
    unsaid(finished: Finished): Finished {
      expect(finished.stdout + finished.stderr).not.toContain(account.password)
      return finished
    },
  }
}
