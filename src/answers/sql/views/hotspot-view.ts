import { hotspots } from '../../../catalog/l2/hotspots.ts'
import { networkIds } from '../../../catalog/networks.ts'
import { cast, type ViewDialect, type ViewText } from '../dialects/view-dialect.ts'
import { makerOfId, type ViewsOf } from './reward-view.ts'

/** Resolutions of the parent cells, from 1,770 to 5 square kilometres. */
const RESOLUTIONS = [4, 5, 6, 7]

/** Adds the maker's name, one location and its H3 parents to the view of hotspots. */
export function withPlaces(view: ViewText, views: ViewsOf): ViewText {
  const { identifier, types } = views.dialect
  const locations = networkIds.map((id) => `t.${identifier(`${id}_location`)}`)
  const location = `coalesce(${locations.join(', ')})`
  const added = [
    { name: 'maker_name', doc: 'Name of the maker; null when the makers table lacks it.', value: 'k.name' },
    {
      name: 'location',
      doc: `H3 cell of resolution 12: ${networkIds.map((id) => `${id}_location`).join(', or else ')}.`,
      value: location,
    },
    ...RESOLUTIONS.map((resolution) => ({
      name: `h3_res_${resolution}`,
      doc: `H3 cell of resolution ${resolution} around location.`,
      value: cast(parentOf(location, resolution, views.dialect), types.cell),
    })),
  ]
  const columns = [
    ...view.columns.map(({ name }) => `t.${identifier(name)} AS ${identifier(name)}`),
    ...added.map(({ name, value }) => `${value} AS ${identifier(name)}`),
  ]
  return {
    ...view,
    columns: [...view.columns, ...added.map(({ name, doc }) => ({ name, doc }))],
    select: `SELECT ${columns.join(', ')} FROM (${view.select}) t LEFT JOIN (${makerOfId(views)}) k ON k.id = t.maker_id`,
  }
}

export const isHotspots = ({ name }: ViewText): boolean => name === hotspots.name

const RESOLUTION = 2 ** 52
const BASE = 2 ** 56

/**
 * Parent of an H3 cell; null for a coarser cell. Bits 52 to 55 are the resolution, and three bits for each finer
 * resolution follow the base cell; those that a cell does not use are ones. Source: the H3 documentation, "H3Index Bit Layout".
 */
function parentOf(cell: string, resolution: number, { quotient }: ViewDialect): string {
  const finer = String(2 ** (3 * (15 - resolution)))
  const head = `(${quotient(cell, String(BASE))} * 16 + ${resolution}) * ${RESOLUTION}`
  const digits = `(${quotient(`(${cell} % ${RESOLUTION})`, finer)} + 1) * ${finer} - 1`
  return `CASE WHEN ${quotient(cell, String(RESOLUTION))} % 16 >= ${resolution} THEN ${head} + ${digits} END`
}
