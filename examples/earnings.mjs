// node earnings.mjs LAKE FILES...: ingests files, and prints the hotspots that earned most in a month.
import { openLake } from 'ledgerlake'

const [folder = 'lake', ...files] = process.argv.slice(2)
const lake = await openLake(folder)
try {
  const { stored, skipped, failed } = await lake.ingest(files)
  console.log(`${stored} files stored, ${skipped} skipped, ${failed.length} failed`)
  const month = { firstDay: '2025-01', lastDay: '2025-01' }
  const { records } = await lake.iotRewardShares.series({
    ...month,
    interval: 'all',
    groupBy: 'hotspot',
    limit: 3,
  })
  for (const { group, token, formattedEarned } of records)
    if (group !== null) console.log(group, formattedEarned, token)
  let rows = 0
  for await (const { rewardType } of lake.iotRewardShares.rows(month))
    rows += rewardType === 'gateway_reward' ? 1 : 0
  console.log(`${rows} rewards of gateways`)
} finally {
  await lake.close()
}
