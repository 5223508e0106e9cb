// node two-lakes.cjs ONE OTHER: compares the totals of two lakes.
const { LedgerlakeError, openLake } = require('ledgerlake')

const range = { from: '2025-01-01', to: '2025-03-01' }

async function totalOf(folder) {
  const lake = await openLake(folder)
  try {
    return (await lake.iotRewardShares.totals(range)).totalAmount
  } catch (error) {
    if (error instanceof LedgerlakeError && error.code === 'not_ready') return 0n
    throw error
  } finally {
    await lake.close()
  }
}

Promise.all(process.argv.slice(2).map(totalOf)).then(([one = 0n, other = 0n]) => {
  console.log(`difference: ${one - other}`)
})
