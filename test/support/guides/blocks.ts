/** Languages whose blocks are run, by the word after the fence. */
export const languages = ['sh', 'js', 'ts', 'python', 'r'] as const

export type Language = (typeof languages)[number]

export interface Block {
  readonly language: Language
  readonly text: string
  /** Line of the page that the block begins on, from 1. */
  readonly line: number
  /** What the page shows directly below: the output of the block. */
  readonly output: Output | undefined
}

export interface Output {
  readonly text: string
  /** Spaces and line breaks between tokens mean nothing in JSON. */
  readonly isJson: boolean
}

interface Fenced {
  readonly word: string
  readonly text: string
  readonly start: number
  readonly end: number
}

const FENCED = /^( *)```(\w*)\n([\s\S]*?)^\1```$/gm

/** The blocks of a page that can be run, in order, each with the output block that stands directly below it. */
export function blocksOf(page: string): readonly Block[] {
  const all = [...page.matchAll(FENCED)].map(fencedBlock)
  return all.flatMap((block, at) => {
    const language = languages.find((word) => word === block.word)
    if (language === undefined) return []
    const line = page.slice(0, block.start).split('\n').length
    return [{ language, text: block.text, line, output: outputBelow(page, block, all[at + 1]) }]
  })
}

/** The other blocks of a page: neither run nor the output of one that is. */
export function otherBlocks(page: string): readonly { readonly word: string; readonly text: string }[] {
  const all = [...page.matchAll(FENCED)].map(fencedBlock)
  const isRun = ({ word }: Fenced) => languages.some((language) => language === word)
  return all.filter((block, at) => {
    const before = all[at - 1]
    const isOutput = before !== undefined && isRun(before) && outputBelow(page, before, block) !== undefined
    return !isRun(block) && !isOutput
  })
}

function fencedBlock(match: RegExpExecArray): Fenced {
  const [whole, indent = '', word = '', text = ''] = match
  const start = match.index
  const outdented = indent === '' ? text : text.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
  return { word, text: outdented, start, end: start + whole.length }
}

function outputBelow(page: string, block: Fenced, next: Fenced | undefined): Output | undefined {
  if (next === undefined || page.slice(block.end, next.start).trim() !== '') return undefined
  if (!['', 'text', 'csv', 'json'].includes(next.word)) return undefined
  return { text: next.text, isJson: next.word === 'json' }
}
