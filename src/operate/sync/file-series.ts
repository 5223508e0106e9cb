import { type ArtifactKind, recognisePath } from '../../write/ingest/files/artifact.ts'
import type { CountedStore } from './counted-store.ts'

/** Objects of one kind in one folder: timed files of an oracle, or parts of a table. */
export interface FileSeries {
  readonly kind: ArtifactKind
  /** Common start of the keys: `foundation-iot-verified-rewards/iot_reward_share.` */
  readonly prefix: string
  readonly isTimed: boolean
}

const DEEPEST = 5
/** Most pages read of a folder with unknown files. */
const MOST_PAGES = 20

/**
 * Finds the series below a prefix. After a page that ends within a series, skips to the next name, so that a folder
 * of a million files takes few requests.
 */
export async function findSeries(
  store: CountedStore,
  prefix: string,
  kinds: readonly ArtifactKind[],
): Promise<readonly FileSeries[]> {
  const byPrefix = new Map<string, FileSeries>()
  let folders: readonly string[] = [prefix]
  for (let depth = 0; depth < DEEPEST && folders.length > 0; depth += 1) {
    const below: string[] = []
    for (const folder of folders) below.push(...(await addSeriesOf(store, folder, byPrefix)))
    folders = below
  }
  return [...byPrefix.values()].filter(({ kind }) => kinds.includes(kind))
}

/** Adds the series of one folder; returns its subfolders. */
async function addSeriesOf(
  store: CountedStore,
  folder: string,
  byPrefix: Map<string, FileSeries>,
): Promise<readonly string[]> {
  const folders = new Set<string>()
  let startAfter: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const first = await firstOf(store.pages({ prefix: folder, isFlat: true, startAfter }))
    if (first === undefined) break
    for (const name of first.folders) folders.add(name)
    for (const { key } of first.objects) {
      const series = seriesOf(key)
      if (series !== undefined) byPrefix.set(series.prefix, series)
    }
    if (first.next === undefined) break
    const last = [...first.folders.map((name) => `${name}\u{10FFFF}`), ...first.objects.map(({ key }) => key)]
      .sort()
      .at(-1)
    startAfter = last === undefined ? undefined : afterAllLike(last)
  }
  return [...folders].filter((name) => name !== folder)
}

async function firstOf<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item
  return undefined
}

/** Returns a key after all files of this name: a slash sorts after a point. */
function afterAllLike(key: string): string {
  return key.replace(/^(.*\/)?([a-z\d_]+)\.\d{1,15}\.gz$/, '$1$2/')
}

function seriesOf(key: string): FileSeries | undefined {
  const arrival = recognisePath(key)
  if (arrival === undefined) return undefined
  return { kind: arrival.kind, prefix: prefixOf(key), isTimed: arrival.createdMs !== undefined }
}

/** Returns the prefix of the series: up to the point before the time, or the folder. */
export function prefixOf(key: string): string {
  const folder = key.slice(0, key.lastIndexOf('/') + 1)
  return recognisePath(key)?.createdMs === undefined
    ? folder
    : key.slice(0, key.indexOf('.', folder.length) + 1)
}
