import { instantText, inTokens, pageText } from './pg-json.mjs'

/** `/strong/...`: what one would ask of tables of shares made for it. */

const order = 'end_period, reward_type, place'
const columns = `id, reward_type, start_period, end_period, source, hotspot_key, beacon_amount, witness_amount,
  dc_transfer_amount, amount, unallocated_reward_type`

/** Terms and values of a range; a reward_type too, and a hotspot where the table knows it. */
function whereOf({ from, to, hotspot_key, reward_type }) {
  const values = [from, to]
  const terms = ['end_period BETWEEN $1 AND $2']
  for (const [column, value] of Object.entries({ hotspot_key, reward_type })) {
    if (value === undefined) continue
    values.push(value)
    terms.push(`${column} = $${values.length}`)
  }
  return { where: terms.join(' AND '), values }
}

/** What the manifests say of each source: a few rows a day, which are kept and read again when a source is new. */
function openSources(rowsOf) {
  let known = new Map()
  return async (numbers) => {
    if (numbers.every((number) => known.has(number))) return known
    const rows = await rowsOf('SELECT number, manifest, decimals FROM sources')
    known = new Map(
      rows.map(([number, manifest, decimals]) => [number, { manifest, decimals: Number(decimals) }]),
    )
    return known
  }
}

function paid(name, digits, decimals) {
  if (digits === null) return `"${name}":null,"formatted_${name}":null`
  return `"${name}":${digits},"formatted_${name}":"${inTokens(digits, decimals)}"`
}

const details = {
  gateway_reward: ([, , , , , hotspot, beacon, witness, transfer], decimals) =>
    `"hotspot_key":"${hotspot}",${paid('beacon_amount', beacon, decimals)},${paid('witness_amount', witness, decimals)},${paid('dc_transfer_amount', transfer, decimals)}`,
  operational_reward: (row, decimals) => paid('amount', row[9], decimals),
  unallocated_reward: (row, decimals) =>
    `"unallocated_reward_type":"${row[10]}",${paid('amount', row[9], decimals)}`,
}

function recordText(row, { manifest, decimals }) {
  const [id, type, start, end] = row
  return `{"id":"${id}","reward_type":"${type}","start_period":"${instantText(start)}","end_period":"${instantText(end)}","reward_manifest":${manifest},"reward_detail":{${details[type](row, decimals)}}}`
}

/**
 * A page from the first of its rows on. An index goes straight to a row of three values; beside another lower bound on one of its columns
 * it would read on from the beginning of the day, so a list of one type has none.
 */
function pageSql(isOfType, limit) {
  const [order, where] = isOfType
    ? [
        'reward_type, end_period, place',
        'end_period <= $2 AND reward_type <= $3 AND (reward_type, end_period, place) >= ($3, $1, $4)',
      ]
    : [
        'end_period, reward_type, place',
        'end_period BETWEEN $1 AND $2 AND (end_period, reward_type, place) >= ($1, $3, $4)',
      ]
  return `SELECT ${columns} FROM strong WHERE ${where} ORDER BY ${order} LIMIT ${limit}`
}

export function strong(rowsOf, sums) {
  const sourcesOf = openSources(rowsOf)

  /** Rows of a hotspot in a range are few, so they are counted on the way. */
  async function ofHotspot(query, limit, offset) {
    const { where, values } = whereOf(query)
    const rows = await rowsOf(
      `SELECT ${columns}, count(*) OVER () FROM strong WHERE ${where}
       ORDER BY ${order} LIMIT ${limit} OFFSET $${values.length + 1}`,
      [...values, offset],
    )
    if (rows.length > 0 || offset === 0) return { total: Number(rows[0]?.[11] ?? 0), rows }
    const [[count]] = await rowsOf(`SELECT count(*) FROM strong WHERE ${where}`, values)
    return { total: Number(count), rows }
  }

  /** The sums of each day also say how many rows there are, and at which place of which day a page begins. */
  async function ofRange(query, limit, offset) {
    const { where, values } = whereOf(query)
    const next = values.length + 1
    const [begin] = await rowsOf(
      `SELECT * FROM (
         SELECT end_period, reward_type, sum(rows) OVER () AS total,
           sum(rows) OVER (ORDER BY end_period, reward_type) AS upto, rows
         FROM strong_days WHERE ${where}) AS days
       WHERE upto > $${next} OR upto = total ORDER BY end_period, reward_type LIMIT 1`,
      [...values, offset],
    )
    if (begin === undefined) return { total: 0, rows: [] }
    const [end, type, total, upto, counted] = begin
    const place = offset - (Number(upto) - Number(counted))
    const rows = await rowsOf(pageSql(query.reward_type !== undefined, limit), [end, query.to, type, place])
    return { total: Number(total), rows }
  }

  return {
    async totals(query) {
      const { where, values } = whereOf(query)
      const table = query.hotspot_key === undefined ? 'strong_days' : 'strong'
      return (await rowsOf(`SELECT ${sums} FROM ${table} WHERE ${where}`, values))[0]
    },
    async list(query, page, perPage) {
      const list = query.hotspot_key === undefined ? ofRange : ofHotspot
      const { total, rows } = await list(query, perPage, (page - 1) * perPage)
      const sources = await sourcesOf(rows.map((row) => row[4]))
      const records = rows.map((row) => recordText(row, sources.get(row[4])))
      return pageText('records', total, page, perPage, records)
    },
  }
}
