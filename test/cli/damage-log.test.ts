import { expect, it } from 'vitest'
import { damageLog } from '../../src/cli/serving/damage-log.ts'

const verdictOf = (name: string, fault: string | undefined = 'it is missing') => ({
  ...{ file: { path: `/lake/${name}`, sha256: '', bytes: 1 }, fault },
  ...{ fingerprint: undefined, isSettled: false, bytes: 0 },
})

it('the damage log remembers the 10,000 damaged files that were checked last', () => {
  const said: string[] = []
  const say = (sentence: string) => said.push(sentence.split(' ')[0] ?? '')
  const log = damageLog('/lake', { error: say, warn: say } as never)
  for (let file = 0; file < 10_000; file += 1) log(verdictOf(`part-${file}`))
  expect(said.splice(0)).toHaveLength(10_000)
  log(verdictOf('part-0'))
  expect(said).toEqual([])
  log(verdictOf('one-more'))
  log(verdictOf('part-0'))
  log(verdictOf('part-2'))
  expect(said.splice(0)).toEqual(['one-more'])
  log(verdictOf('part-1'))
  expect(said).toEqual(['part-1'])
})
