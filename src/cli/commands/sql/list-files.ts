import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, parse, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type ListFile, readFormats } from '../../../answers/sql/views/file-views.ts'
import { fail, sentenceOf } from '../../../base/errors.ts'
import { quoted } from '../../../base/parameter-text.ts'
import { nearest } from '../../../base/unknown-parameters.ts'
import { exportColumns } from '../../../catalog/records/flat-columns.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { resources } from '../../../catalog/resources.ts'

/**
 * Finds the exported files of a folder: `hotspots.parquet` has the list hotspots. Files with other extensions are
 * ignored.
 * Errors: `malformed_request` for a file that is named by no list, two files of a list, wrong columns, or no files.
 */
export async function findListFiles(folder: string): Promise<readonly ListFile[]> {
  const names = await readdir(folder).catch((cause) =>
    fail('malformed_request', `Cannot read --files ${folder}: ${sentenceOf(cause)}.`, { cause }),
  )
  const files: ListFile[] = []
  for (const file of names.sort()) {
    const { name, ext } = parse(file)
    const format = readFormats.find((one) => ext === `.${one}`)
    if (format === undefined) continue
    const resource = resourceOf(name, file)
    const twin = files.find(({ list }) => list === resource.name)
    if (twin !== undefined)
      fail('malformed_request', `${file} and ${parse(twin.path).base} have the same list; keep one of them.`)
    const path = resolve(folder, file)
    const columns = format === 'parquet' ? [] : await columnsIn(path, format, resource)
    files.push({ path, list: resource.name, format, columns })
  }
  if (files.length > 0) return files
  return fail(
    'malformed_request',
    `--files ${folder} has no exported files; expected names such as ${join(folder, 'hotspots.parquet')}, .csv or .ndjson.`,
  )
}

function resourceOf(name: string, file: string): Resource {
  const list = name.replaceAll('-', '_')
  const resource = resources.find((resource) => resource.name === list && resource.rest !== undefined)
  if (resource !== undefined) return resource
  const lists = resources.flatMap((resource) => (resource.rest === undefined ? [] : [resource.name]))
  const hint = nearest(list, lists)
  return fail(
    'malformed_request',
    `${file} is named by no list; ${hint === undefined ? `use one of ${lists.join(', ')}` : `did you mean ${hint}`}.`,
  )
}

/** Errors: `malformed_request` for columns that no export has. */
async function columnsIn(
  path: string,
  format: 'csv' | 'ndjson',
  resource: Resource,
): Promise<readonly string[]> {
  const line = await firstLine(path)
  const names = format === 'csv' ? line.split(',') : namesOfJson(line, path)
  const expected = exportColumns(resource).map(({ name }) => name)
  // An NDJSON file without rows has no names.
  if (format === 'ndjson' && line === '') return expected
  const wrong = names.find((name) => !expected.includes(name))
  if (wrong !== undefined)
    fail(
      'malformed_request',
      `${parse(path).base} has the column ${quoted(wrong)}; expected columns of ${resource.name}: ${expected.join(', ')}.`,
    )
  return names
}

function namesOfJson(line: string, path: string): readonly string[] {
  if (line === '') return []
  try {
    return Object.keys(JSON.parse(line))
  } catch (cause) {
    return fail(
      'malformed_request',
      `Line 1 of ${parse(path).base} is not a JSON object: ${sentenceOf(cause)}.`,
      {
        cause,
      },
    )
  }
}

async function firstLine(path: string): Promise<string> {
  const input = createReadStream(path)
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) return line
    return ''
  } finally {
    input.destroy()
  }
}
