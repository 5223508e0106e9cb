import type uPlot from 'uplot'
import { fetched } from '../ask/api.ts'
import { toPixels } from '../values/pixels.ts'
import { div, h } from './h.ts'

/** One series of the stacked bars. */
interface Layer {
  readonly name: string
  /** Name of a custom property in the style sheet. */
  readonly color: string
  /** One amount per day, as text; null for a day without one. */
  readonly amounts: readonly (string | null)[]
}

export interface ChartData {
  readonly label: string
  /** Draws a line for each layer instead of stacked bars. */
  readonly isLines?: true
  /** Sign before the figures of the axis. */
  readonly sign: string
  readonly days: readonly string[]
  /** Ordered from the bottom up. */
  readonly layers: readonly Layer[]
  /** Indexes of days without data. */
  readonly gaps: readonly number[]
  /** Returns the description of a day, by its index. */
  readonly describe: (place: number) => string
}

const HEIGHT = 240
const LABEL_WIDTH = 70
const seconds = (day: string) => Date.parse(day) / 1000

/** Loads the script that draws charts. */
export const loadCharts = () => fetched(import('uplot'))

/** Stacked bars, one per step, or lines. The day table shows the same amounts as text. Errors: Refused. */
export async function chart(data: ChartData): Promise<HTMLElement> {
  const { default: Plot } = await loadCharts()
  const caption = h('p.chart-caption', { 'aria-hidden': 'true' }, data.describe(data.days.length - 1))
  const container = h('div.chart', { role: 'img', 'aria-label': data.label })
  let plot: uPlot | undefined
  const draw = () => {
    plot?.destroy()
    plot = new Plot(options(Plot, data, container.clientWidth, caption), heights(data), container)
  }
  new ResizeObserver(() => {
    if (plot === undefined) draw()
    else plot.setSize({ width: container.clientWidth, height: HEIGHT })
  }).observe(container)
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', function redraw() {
    if (container.isConnected) draw()
    else dark.removeEventListener('change', redraw)
  })
  return div(container, caption)
}

/** Returns the heights of lines, or the cumulated heights of bars: the highest layer is drawn first, and the lower ones cover it. */
function heights({ days, layers, isLines }: ChartData): uPlot.AlignedData {
  if (isLines) return [days.map(seconds), ...layers.map(({ amounts }) => amounts.map(toPixels))]
  const ends = days.map(() => 0)
  const tops = layers.map(({ amounts }) =>
    amounts.map((amount, place) => {
      ends[place] = (ends[place] ?? 0) + (toPixels(amount) ?? 0)
      return ends[place]
    }),
  )
  return [days.map(seconds), ...tops.reverse()]
}

function options(
  Plot: typeof uPlot,
  { days, sign, layers, gaps, describe, isLines }: ChartData,
  width: number,
  caption: HTMLElement,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const grid = { stroke: color('--line'), width: 1 }
  const axis = { stroke: color('--soft'), grid, ticks: { show: false }, font: '12px system-ui, sans-serif' }
  const step = days.length > 1 ? seconds(days[1] ?? '') - seconds(days[0] ?? '') : 86_400
  const gapDays = gaps.map((place) => days[place] ?? '')
  const bars = Plot.paths.bars?.({ size: [0.75, 48] })
  const lineOf = (layer: Layer) => ({ stroke: color(layer.color), width: 2, points: { size: 5 } })
  const barsOf = (layer: Layer) => ({
    ...{ fill: color(layer.color), stroke: color(layer.color), width: 0 },
    ...(bars && { paths: bars }),
    points: { show: false },
  })
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    tzDate: (at) => Plot.tzDate(new Date(at * 1000), 'Etc/UTC'),
    scales: {
      x: { range: (_, least, most) => [least - step / 2, most + step / 2] },
      y: { range: (_, __, most) => [0, most > 0 ? most * 1.05 : 1] },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 32, splits: labelled(days), values: dayLabels },
      { ...axis, size: 62, values: (_, splits) => splits.map((value) => sign + short(value)) },
    ],
    series: [{}, ...(isLines ? layers.map(lineOf) : layers.toReversed().map(barsOf))],
    hooks: {
      drawClear: [(plot) => shadeGaps(plot, gapDays, step, color('--missing'))],
      setCursor: [
        ({ cursor: { idx: index } }) => {
          if (index !== null && index !== undefined) caption.textContent = describe(index)
        },
      ],
    },
  }
}

/** Returns every nth day, so that labels do not overlap. */
const labelled = (days: readonly string[]) => (plot: uPlot) => {
  const every = Math.max(1, Math.ceil((days.length * LABEL_WIDTH) / plot.width))
  return days.filter((_, place) => place % every === 0).map(seconds)
}

const labels = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayLabels = (_: uPlot, splits: number[]) => splits.map((at) => labels.format(at * 1000))

const shortNumber = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3, notation: 'compact' })
const short = (value: number) => shortNumber.format(value)

/** Shades days without data, to distinguish them from days without rewards. */
function shadeGaps(
  { ctx, bbox, valToPos }: uPlot,
  days: readonly string[],
  step: number,
  color: string,
): void {
  ctx.save()
  ctx.globalAlpha = 0.22
  ctx.fillStyle = color
  for (const day of days) {
    const left = valToPos(seconds(day) - step / 2, 'x', true)
    ctx.fillRect(left, bbox.top, valToPos(seconds(day) + step / 2, 'x', true) - left, bbox.height)
  }
  ctx.restore()
}
