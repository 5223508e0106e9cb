import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { blocksOf, otherBlocks } from '../support/guides/blocks.ts'
import { notCompared, notRun } from '../support/guides/not-run.ts'
import { guideFolder, guides, guideText, pages } from '../support/guides/run-guide.ts'
import { sameOutput } from '../support/guides/same-output.ts'
import { some } from '../support/some.ts'

const page = `# Page

\`\`\`sh
ledgerlake status
\`\`\`

\`\`\`
3 rows
\`\`\`

1. In a list:

   \`\`\`sh
   echo one
     echo two
   \`\`\`

   Words.

   \`\`\`json
   {}
   \`\`\`

\`\`\`sql
SELECT 1
\`\`\`
`

describe('blocks of a guide', () => {
  it('are those in languages that can be run, each with the output directly below', () => {
    expect(blocksOf(page)).toEqual([
      { language: 'sh', text: 'ledgerlake status\n', line: 3, output: { text: '3 rows\n', isJson: false } },
      { language: 'sh', text: 'echo one\n  echo two\n', line: 13, output: undefined },
    ])
  })

  it('that are not run exist, each with its reason', () => {
    for (const { guide, block, why } of some(notRun)) {
      const texts = blocksOf(guideText(guide)).map(({ text }) => text)
      expect(some(texts).filter((text) => text.includes(block)).length, block).toBeGreaterThan(0)
      expect(why.length).toBeGreaterThan(20)
    }
  })

  it('are run, compared, or listed with the reason why not', () => {
    const others = pages.flatMap((name) => otherBlocks(guideText(name)).map(({ text }) => ({ name, text })))
    const isListed = ({ name, text }: (typeof others)[number]) =>
      notCompared.some(({ guide, block }) => guide === name && text.includes(block))
    expect(some(others).filter((one) => !isListed(one))).toEqual([])
    const unused = notCompared.filter(
      ({ guide, block }) => !others.some(({ name, text }) => name === guide && text.includes(block)),
    )
    expect(unused).toEqual([])
    const files = notCompared.flatMap(({ why }) => /test\/[\w./-]+\.ts/.exec(why)?.[0] ?? [])
    expect(some(files).filter((file) => !existsSync(file))).toEqual([])
  })

  it('are marked with a language if they are commands', () => {
    const pages = some(readdirSync(guideFolder).map((name) => [name, guideText(name)] as const))
    const unmarked = pages.filter(([, text]) =>
      /^ *```(?:text|bash|shell|console)?\n *(?:\$ |sudo |(?:bin\/)?ledgerlake [a-z]+ |curl |npm |npx )/m.test(
        text,
      ),
    )
    expect(unmarked.map(([name]) => name)).toEqual([])
    expect(guides.length).toBeGreaterThan(10)
  })
})

describe('an output', () => {
  const isSame = (text: string, actual: string, isJson = false) => sameOutput({ text, isJson }, actual).isSame

  it.each([
    ['to the last character', '3 rows', '3 rows\n', '4 rows'],
    ['but for times', 'in 0.2 s', 'in 17.5 s', 'in 0.2 h'],
    ['but for what is left out', 'a\n…\nz', 'a\nb\nc\nz', 'a\nb\nc'],
    ['but for lines that may be none', '…\na\n…\nz\n…', 'a\nz', 'b\nz'],
    ['but for a part of a line', 'id …, 5', 'id 7+7, 5', 'id 7+7, 6'],
  ])('is compared %s', (_, shown, same, other) => {
    expect([isSame(shown, same), isSame(shown, other)]).toEqual([true, false])
  })

  it('is compared without the layout of JSON, and with every digit and blank of its values', () => {
    const shown = '{"sum": 9007199254740993,\n "name": "a b"}'
    expect(isSame(shown, '{"sum":9007199254740993,"name":"a b"}', true)).toBe(true)
    expect(isSame(shown, '{"sum":9007199254740992,"name":"a b"}', true)).toBe(false)
    expect(isSame(shown, '{"sum":9007199254740993,"name":"ab"}', true)).toBe(false)
  })
})
