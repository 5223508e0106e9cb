import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Block, blocksOf, type Language } from './blocks.ts'
import { reasonNotToRun } from './not-run.ts'
import { sameOutput } from './same-output.ts'
import { openShell, type Shell } from './shell.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export const guideFolder = `${root}docs/guide`

/** The page that everybody reads first, as a guide. */
const readme = '../../README.md'

/** Names of all pages, from the folder of the guides. */
export const pages = [readme, ...readdirSync(guideFolder)]

/** Names of the pages that have something to run. */
export const guides = pages.filter((name) => blocksOf(guideText(name)).length > 0)

export function guideText(name: string): string {
  return readFileSync(join(guideFolder, name), 'utf8')
}

/** What became of a block. */
export interface Outcome {
  /** Page and line. */
  readonly at: string
  /** Why it was not run. */
  readonly left?: string
  /** What is wrong, in words, with what the page shows and what there was. */
  readonly fault?: { readonly what: string; readonly expected: string; readonly actual: string }
}

export interface GuideRun {
  /** An empty folder that the guide has to itself. */
  readonly folder: string
  /** A folder with `network`, a sample, and `lake`, a lake of it. */
  readonly sample: string
  readonly languages: readonly Language[]
  /** Folder of the programs of a Python environment. */
  readonly python?: string
}

/** Not what the shell that made it left beside it. */
const isOfSample = (path: string) => !/\/(?:bin|node_modules|\.\w+)$/.test(path)

/** Runs the blocks of a guide in order; after the first fault the rest is left, since it may need what failed. */
export async function runGuide(name: string, run: GuideRun): Promise<readonly Outcome[]> {
  if (/npm start|ledgerlake serve|data\//.test(guideText(name)))
    cpSync(run.sample, join(run.folder, 'data'), { recursive: true, filter: isOfSample })
  const shell = openShell(run.folder, run)
  const outcomes: Outcome[] = []
  try {
    for (const block of blocksOf(guideText(name))) {
      const outcome = await outcomeOf(name, block, shell, run.languages)
      outcomes.push(outcome)
      if (outcome.fault !== undefined) break
    }
  } finally {
    await shell.stop()
  }
  return outcomes
}

async function outcomeOf(
  name: string,
  block: Block,
  shell: Shell,
  languages: readonly Language[],
): Promise<Outcome> {
  const at = `docs/guide/${name}:${block.line}`
  const left =
    reasonNotToRun(name, block.text) ?? (languages.includes(block.language) ? undefined : block.language)
  if (left !== undefined) return { at, left }
  const { code, output } = await runBlock(block, shell)
  const { output: shown } = block
  const compared = shown === undefined ? undefined : sameOutput(shown, output)
  if (code !== 0) return { at, fault: { what: `ended with ${code}`, expected: block.text, actual: output } }
  return compared === undefined || compared.isSame
    ? { at }
    : { at, fault: { what: 'shows something else', ...compared } }
}

/** Programs that run a file of each language; the first line of a block may name the file in a comment. */
const programs = {
  js: ['node'],
  ts: [process.execPath, '--import', import.meta.resolve('tsx')],
  python: ['python'],
  r: ['Rscript'],
} as const
const suffixes = { js: 'mjs', ts: 'mts', python: 'py', r: 'R' } as const

function runBlock({ language, text, line }: Block, shell: Shell) {
  if (language === 'sh') return shell.run(text)
  const named = /^(?:#|\/\/) (\w[\w.-]*\.\w+)\n/.exec(text)?.[1]
  return shell.runFile(programs[language], named ?? `line-${line}.${suffixes[language]}`, text)
}

/** Makes the network and the lake of `npm start` in a folder. */
export async function makeSampleLake(folder: string): Promise<void> {
  const shell = openShell(folder)
  const hotspots = '--out network --hotspots 3000 --seed 1'
  const commands = `ledgerlake sample ${hotspots} --days 30
ledgerlake sample --l1 ${hotspots} --transactions 20000 --blocks 90000 --start 2023-02-10
ledgerlake ingest network --lake lake`
  const { code, output } = await shell.run(commands)
  if (code !== 0) throw new Error(output)
}
