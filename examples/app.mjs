// node app.mjs LAKE PORT: an app of Fastify with a route of its own, and a lake below /data.
import Fastify from 'fastify'
import { openLake } from 'ledgerlake'
import { ledgerlake } from 'ledgerlake/fastify'

const [folder = 'lake', port = '3000'] = process.argv.slice(2)
const lake = await openLake(folder)
const app = Fastify()
app.get('/greatest', async () => {
  const month = { firstDay: '2025-01', lastDay: '2025-01' }
  const { records } = await lake.iotRewardShares.series({
    ...month,
    interval: 'all',
    groupBy: 'hotspot',
    limit: 1,
  })
  return { hotspot: records[0]?.group, earned: String(records[0]?.earned) }
})
await app.register(ledgerlake, { prefix: '/data', lake })
console.log(await app.listen({ port: Number(port) }))

process.once('SIGTERM', async () => {
  await app.close()
  await lake.close()
})
