/** Variants of a reward share of Mobile, each with a member of text. */
export const variants = {
  gateway_reward: 'hotspot_key',
  promotion_reward: 'entity',
  radio_reward: 'cbsd_id',
  radio_reward_v2: 'hotspot_key',
  service_provider_reward: 'service_provider_id',
  subscriber_reward: 'subscriber_id',
  unallocated_reward: 'unallocated_reward_type',
}

/** The lines that each client prints, from replies of a server that are read as text. */
export async function expectedLines(address: string): Promise<readonly string[]> {
  const range = 'from=2000-01-01&to=2100-01-01'
  const textAt = async (path: string) => await (await fetch(`${address}/v1/net/l2/${path}`)).text()
  const list = await textAt(`iot-reward-shares?${range}`)
  const totals = await textAt(`iot-reward-shares/totals?${range}`)
  const file = await textAt(`iot-reward-shares?${range}&format=csv`)
  const keys = Object.entries(variants).map(async ([name, member]) => {
    const page = await textAt(`mobile-reward-shares?${range}&reward_type=${name}&per_page=1`)
    return `variant ${name} ${JSON.parse(page).records[0].reward_detail[member]}`
  })
  const total = /"total_amount":(\d+)/.exec(totals)?.[1] ?? ''
  if (BigInt(total) <= 2n ** 53n) throw new Error(`the total is ${total}, which a double holds`)
  return [
    `list 25 ${/"id":"([^"]+)"/.exec(list)?.[1]}`,
    `total ${total}`,
    'error 404 not_found',
    ...(await Promise.all(keys)),
    `file ${file.split('\n').length - 1}`,
  ]
}
