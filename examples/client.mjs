// node client.mjs URL: reads a server, such as http://127.0.0.1:8080/v1/net.
import { openClient } from 'ledgerlake/client'

const [url = 'http://127.0.0.1:8080/v1/net'] = process.argv.slice(2)
const client = openClient({ url, key: process.env.LEDGERLAKE_KEY })
const range = { from: '2025-01-28', to: '2025-02-01' }
const { totalAmount } = await client.iotRewardShares.totals(range)
console.log(`total: ${totalAmount} bones`)

// All pages of one snapshot, whatever is ingested meanwhile.
let sum = 0n
for await (const { rewardDetail } of client.iotRewardShares.rows(range))
  if ('amount' in rewardDetail) sum += rewardDetail.amount ?? 0n
console.log(`operations and unallocated: ${sum} bones`)
