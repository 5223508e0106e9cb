import { type Env, program, startServing } from '../../../bench/support/program.ts'
import { corpusInputs, readCorpus } from '../conformance/corpus.ts'
import { reportConformance } from '../conformance/report.ts'

/** Serves the lake of the corpus through Trino and asks all its cases. Errors: Error when one of them failed. */
export async function serveCorpus(
  lake: string,
  flags: readonly string[],
  say: (line: string) => void,
  env: Env = {},
): Promise<void> {
  const common = ['serve', '--lake', lake, '--port', '0', '--workers', '1', '--engine', 'trino']
  const serving = await startServing([program, ...common, ...flags], env)
  try {
    const target = {
      ...{ baseUrl: `${serving.address}/v1`, graphqlUrl: `${serving.address}/graphql`, network: 'net' },
      ...{ key: undefined, plainKey: undefined, timeoutMs: 60_000 },
    }
    const { failed } = await reportConformance(readCorpus(), corpusInputs, target, 'decision', say)
    if (failed > 0) throw new Error(`${failed} cases of the corpus failed`)
  } finally {
    await serving.stop()
  }
}
