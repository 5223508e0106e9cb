import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { ServiceError } from '../../../src/base/errors.ts'
import { rejects } from '../../../src/catalog/lake/rejects.ts'
import type { Row } from '../../../src/catalog/resource.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { Random } from '../../../src/write/sample/random.ts'
import { spell } from '../../support/exact-json.ts'
import { smallNetwork } from '../../support/fixtures.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { frame } from '../../support/messages/oracle-messages.ts'
import { pick } from '../../support/network/draw.ts'
import { rowsInFiles } from '../../support/tables/rows-in-files.ts'
import { changeBytes, changeGzip } from './changes.ts'
import { must, some, type Target } from './target.ts'
import type { World } from './world.ts'

/** A file of the network with some of its messages, lines or records, by their numbers in the whole one. */
interface SourceFile {
  readonly path: string
  readonly parts: readonly number[]
  /** In base64. */
  readonly bytes: string
}

/** How a kind of file is divided, and put together again. */
interface Form {
  readonly name: string
  readonly files: RegExp
  divide(content: Buffer): Divided
  join(divided: Divided): Buffer
}

interface Divided {
  /** What stands before the first part. */
  readonly head: Buffer
  readonly parts: readonly Buffer[]
}

const NEWLINE = 10
const forms: readonly Form[] = [
  {
    name: 'oracle files',
    files: /\/oracle\/.*\.gz$/,
    divide(content) {
      const parts: Buffer[] = []
      for (let at = 0; at < content.length; at += 4 + content.readUInt32BE(at))
        parts.push(content.subarray(at + 4, at + 4 + content.readUInt32BE(at)))
      return { head: Buffer.alloc(0), parts }
    },
    join: ({ parts }) => Buffer.concat(parts.map(frame)),
  },
  { name: 'ledger archive', files: /\.csv\.gz$/, divide: (content) => linesOf(content, 1), join: joined },
  { name: 'records', files: /\.ndjson$/, divide: (content) => linesOf(content, 0), join: joined },
]

/** Files that others publish: what was left as it is becomes the rows that it became in the whole file, and of what was changed nothing is lost. */
export async function sourceTargets(world: World): Promise<readonly Target[]> {
  const paths = readdirSync(smallNetwork, { recursive: true, encoding: 'utf8' }).map((path) =>
    join(smallNetwork, path),
  )
  let lakes = 0

  async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    lakes += 1
    const folder = join(world.folder, `sources-${lakes}`)
    mkdirSync(folder)
    try {
      return await use(folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  /** A row for each part of the whole file. */
  const wholes = new Map<string, readonly string[]>()
  for (const path of paths.filter((one) => forms.some(({ files }) => files.test(one))))
    wholes.set(
      path,
      await inFolder(async (lake) => {
        await ingestInto(lake, [path])
        return (await rowsOf(lake)).rows
      }),
    )

  return forms.map((form) => {
    const files = [...wholes.keys()].filter((path) => form.files.test(path))
    must(files.length > 0, () => `there are no ${form.name}`)
    for (const path of files)
      must(wholes.get(path)?.length === form.divide(contentOf(path)).parts.length, () => `${path} lacks rows`)
    return {
      name: form.name,
      draw(random) {
        const path = pick(files, random)
        const whole = form.divide(contentOf(path))
        const parts = some([...whole.parts.keys()], random)
        const content = form.join({ ...whole, parts: parts.map((part) => whole.parts[part] as Buffer) })
        return { path, parts, bytes: packed(path, content).toString('base64') }
      },
      mutate: ({ path, parts, bytes }, random) => ({
        path,
        parts,
        bytes: changed(form, path, Buffer.from(bytes, 'base64'), random).toString('base64'),
      }),
      show: ({ path, bytes }) => `${basename(path)} ${bytes.slice(0, 3000)}`,
      run: ({ path, parts, bytes }, isValid) =>
        inFolder(async (folder) => {
          // Archives are told apart by their folders.
          const file = join(folder, basename(dirname(path)), basename(path))
          mkdirSync(dirname(file))
          writeFileSync(file, Buffer.from(bytes, 'base64'))
          const expected = parts.map((part) => wholes.get(path)?.[part] ?? '')
          return await take(join(folder, 'lake'), file, isValid ? expected : undefined)
        }),
    } satisfies Target<SourceFile>
  })
}

/** Ingests a file twice. Errors: Error where rows are lost, doubled or other than expected. */
async function take(lake: string, file: string, expected: readonly string[] | undefined) {
  const first = await ingest(lake, file)
  if (first === undefined || first.failed.length > 0) {
    must(expected === undefined, () => `it was refused: ${first?.failed[0]?.reason ?? 'as a whole'}`)
    return 'refused'
  }
  const found = await rowsOf(lake)
  if (expected !== undefined)
    must(spell(found.rows) === spell(expected), () => `other rows: ${spell(found.rows).slice(0, 800)}`)
  // Of rows with one key a state table keeps the last.
  const isWhole =
    found.keys < found.rows.length
      ? false
      : found.holdsState
        ? found.rows.length <= first.rows && found.rows.length > 0 === first.rows > 0
        : found.rows.length === first.rows
  must(
    isWhole && found.rejects === first.refusedRows,
    () =>
      `${first.rows} and ${first.refusedRows} were told, ${found.rows.length} and ${found.rejects} are there`,
  )
  const again = await ingest(lake, file)
  must(
    again?.skipped === first.stored && again.rows === 0,
    () => `taken twice: ${again?.stored} stored, ${again?.rows} rows`,
  )
  if (first.refusedRows > 0) return 'refused'
  return first.rows > 0 ? 'data' : 'empty'
}

/** Undefined when the whole of it was refused, with a sentence that names the file. */
async function ingest(lake: string, file: string) {
  try {
    const summary = await ingestInto(lake, [file])
    for (const { path, reason } of summary.failed)
      must(path === file && reason !== '', () => `the file is not named: ${path}: ${reason}`)
    return summary
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    must(error.code !== 'internal' && error.message.includes(basename(file)), () => error.message)
    return undefined
  }
}

interface Held {
  /** By their ordinals. */
  readonly rows: readonly string[]
  readonly rejects: number
  readonly holdsState: boolean
  /** Different keys of state tables, and rows of others. */
  readonly keys: number
}

async function rowsOf(lake: string): Promise<Held> {
  const at = await new Lake(lake).latest()
  const read = rowsInFiles()
  const all: Row[] = []
  const keys = new Set<unknown>()
  let holdsState = false
  for (const resource of resources) {
    if (resource === rejects) continue
    const rows = await read(resource, at)
    all.push(...rows)
    const isState = resource.holds === 'state'
    holdsState ||= isState && rows.length > 0
    for (const row of rows) keys.add(isState && resource.key !== undefined ? row[resource.key] : row)
  }
  const inOrder = all.sort((a, b) => Number(a.ordinal) - Number(b.ordinal))
  return {
    rows: inOrder.map(cellsOf),
    rejects: (await read(rejects, at)).length,
    holdsState,
    keys: keys.size,
  }
}

const cellsOf = ({ ordinal: _, ...cells }: Row) => spell(cells)

function contentOf(path: string): Buffer {
  const bytes = readFileSync(path)
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

const packed = (path: string, content: Buffer) => (path.endsWith('.gz') ? gzipSync(content) : content)

/** One message, line or record changed within a file that is whole; or the bytes of the file. */
function changed(form: Form, path: string, bytes: Buffer, random: Random): Buffer {
  if (random.chance(0.4)) return path.endsWith('.gz') ? changeGzip(bytes, random) : changeBytes(bytes, random)
  try {
    const content = path.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: 2 ** 24 }) : bytes
    const divided = form.divide(content)
    const parts = [...divided.parts]
    const at = random.below(parts.length)
    parts[at] = changeBytes(parts[at] as Buffer, random)
    return packed(path, form.join({ ...divided, parts }))
  } catch {
    return changeBytes(bytes, random)
  }
}

/** Lines with their ends. */
function linesOf(content: Buffer, headLines: number): Divided {
  const lines: Buffer[] = []
  for (let at = 0; at < content.length; ) {
    const end = content.indexOf(NEWLINE, at) + 1 || content.length
    lines.push(content.subarray(at, end))
    at = end
  }
  return { head: Buffer.concat(lines.slice(0, headLines)), parts: lines.slice(headLines) }
}

function joined({ head, parts }: Divided): Buffer {
  return Buffer.concat([head, ...parts])
}
