import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportFormats } from '../../../src/catalog/export-formats.ts'
import { runMain } from '../run-main.ts'
import type { Answer } from './expected.ts'
import { parametersOf, type Question } from './question.ts'
import { addFile } from './rest-doors.ts'
import type { DoorWorld } from './world.ts'

let turn = 0

/** Each question gets another format. */
export async function askExport(world: DoorWorld, question: Question): Promise<Answer> {
  const { resource } = question
  const { lake, folder, snapshots } = world
  const format = exportFormats[turn++ % exportFormats.length]
  if (format === undefined) throw new Error('there is no format')
  const file = join(folder, `export${format.extension}`)
  const flags = Object.entries(parametersOf(question, snapshots)).flatMap(([name, text]) => [
    `--${name.replaceAll('_', '-')}`,
    text,
  ])
  const out = ['--out', file, '--force', '--format', format.name]
  const args = ['export', resource.name, ...out, '--lake', lake, ...flags]
  const { code, stderr } = await runMain([...args, '--engine-memory-mb', '256'])
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`)
  return await addFile(resource, format.name, readFileSync(file))
}
