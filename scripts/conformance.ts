import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { NoReply, type Target } from '../test/support/conformance/ask.ts'
import { type Chapter, corpusInputs, levels, readCorpus } from '../test/support/conformance/corpus.ts'
import { reportConformance } from '../test/support/conformance/report.ts'

/** Asks a running server every case of test/spec/corpus. docs/guide/conformance.md says how it is used. */

const usage = `npm run conformance -- http://HOST:PORT [options]

  --key KEY           key that requests carry; cases about keys are asked only with it
  --plain-key KEY     a key without any feature, for the cases about features
                      others can see a command line: CONFORMANCE_KEY and CONFORMANCE_PLAIN_KEY name keys too
  --level LEVEL       ${levels.join(' or ')} (the default): the specification alone, or our decisions too
  --chapter NAME      one chapter beside the probe of the data, such as totals
  --network NAME      path segment that stands for the network; net unless given
  --graphql URL       address of GraphQL; /graphql of the host unless given
  --timeout SECONDS   time that a reply may take; 10 unless given

Exit code: 0 all passed, 1 some failed, 2 wrong usage or no server.`

class WrongUsage extends Error {}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      'plain-key': { type: 'string' },
      level: { type: 'string', default: 'decision' },
      chapter: { type: 'string' },
      network: { type: 'string', default: 'net' },
      graphql: { type: 'string' },
      timeout: { type: 'string', default: '10' },
    },
  })
  const [host, ...surplus] = positionals
  if (host === undefined || surplus.length > 0) throw new WrongUsage('Exactly one address is needed.')
  const level = levels.find((name) => name === values.level)
  if (level === undefined) throw new WrongUsage(`--level is ${values.level}; use ${levels.join(' or ')}.`)
  const seconds = Number(values.timeout)
  if (!(seconds > 0 && seconds <= 600)) {
    throw new WrongUsage(`--timeout is ${values.timeout}; use a number of seconds up to 600.`)
  }
  const root = addressIn('The address', host).href.replace(/\/(v1\/?)?$/, '')
  const target: Target = {
    baseUrl: `${root}/v1`,
    graphqlUrl:
      values.graphql === undefined ? `${root}/graphql` : addressIn('--graphql', values.graphql).href,
    network: values.network,
    key: values.key ?? keyIn('CONFORMANCE_KEY'),
    plainKey: values['plain-key'] ?? keyIn('CONFORMANCE_PLAIN_KEY'),
    timeoutMs: seconds * 1000,
  }
  return { target, level, chapters: chaptersNamed(values.chapter) }
}

/** An empty variable counts as none. */
function keyIn(variable: string): string | undefined {
  return process.env[variable] || undefined
}

function addressIn(what: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new WrongUsage(`${what} is ${text}; use one such as http://127.0.0.1:8080.`)
}

/** The chapter with the probe always comes along. */
function chaptersNamed(name: string | undefined): readonly Chapter[] {
  const all = readCorpus()
  if (name === undefined) return all
  const own = all.find((chapter) => chapter.name === name)
  if (own !== undefined) return [...new Set([...all.slice(0, 1), own])]
  throw new WrongUsage(`--chapter is ${name}; use one of ${all.map((chapter) => chapter.name).join(', ')}.`)
}

// Whoever reads the report may have seen enough.
process.stdout.on('error', () => process.exit(2))

try {
  const { target, level, chapters } = readArguments()
  const inputs = corpusInputs.map((path) => relative(process.cwd(), path))
  const { failed } = await reportConformance(chapters, inputs, target, level, (line) => console.log(line))
  process.exitCode = failed > 0 ? 1 : 0
} catch (error) {
  const isUsage = error instanceof WrongUsage || (error instanceof TypeError && 'code' in error)
  if (!isUsage && !(error instanceof NoReply)) throw error
  console.error(isUsage ? `${error.message}\n\n${usage}` : error.message)
  process.exitCode = 2
}
