import { gzipSync } from 'node:zlib'
import type { BuiltFile, ExplorerFiles } from '../../src/doors/explorer/built-files.ts'

/** Bytes in gzip of every file that a page can load: those that it begins with, and whatever their texts name. */
export function weightsOf({ files }: ExplorerFiles, { script, styles }: BuiltFile): readonly number[] {
  const loaded = new Set([script, ...styles])
  for (const name of loaded) {
    const text = textOf(files, name)
    for (const other of files) if (text.includes(other.name)) loaded.add(other.name)
  }
  return [...loaded].map((name) => gzipSync(textOf(files, name)).length)
}

function textOf(files: ExplorerFiles['files'], name: string): string {
  const file = files.find((one) => one.name === name)
  if (file === undefined) throw new Error(`no file is called ${name}`)
  return file.text
}
