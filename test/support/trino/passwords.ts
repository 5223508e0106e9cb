import { once } from 'node:events'
import { request } from 'node:https'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { type Env, program, runToEnd, startServing } from '../../../bench/support/program.ts'
import { corpusInputs } from '../conformance/corpus.ts'
import { type Access, askCluster } from './ask-cluster.ts'
import { type Cluster, withCluster } from './cluster.ts'
import { type Secured, secure, securedUser } from './secured.ts'
import { serveCorpus } from './serve-corpus.ts'

type Say = (line: string) => void

const LIST = '/v1/net/l2/iot-reward-shares?from=2025-01-01&to=2025-12-31'

/**
 * Starts a cluster of HTTPS and passwords and uses it by the program alone: registers, serves the corpus through a catalog that
 * nobody can write, and is refused as it should be. Throws at the first that is not so.
 */
export async function tryPasswords(folder: string, say: Say): Promise<void> {
  const secured = await secure(join(folder, 'secured'))
  await withCluster({ folder: join(folder, 'trino'), workers: 1, secured, say }, (cluster) =>
    trySecured(cluster, secured, join(folder, 'lake'), say),
  )
}

async function trySecured(cluster: Cluster, secured: Secured, lake: string, say: Say): Promise<void> {
  const { password, authority } = secured
  await runToEnd([program, 'ingest', ...corpusInputs, '--lake', lake])
  const place = ['--trino-server', cluster.server, '--trino-user', securedUser, '--trino-schema', 'secured']
  const register = [program, 'trino', 'register', '--lake', lake, ...place]
  const env = { NODE_EXTRA_CA_CERTS: authority, LEDGERLAKE_TRINO_PASSWORD: password }
  const wrong = { ...env, LEDGERLAKE_TRINO_PASSWORD: 'guessed' }
  const strange = { LEDGERLAKE_TRINO_PASSWORD: password }
  const settings = 'check --trino-user and LEDGERLAKE_TRINO_PASSWORD'
  const vouches = 'name the file of the authority with NODE_EXTRA_CA_CERTS'
  const clear = ['--trino-server', cluster.server.replace('https:', 'http:')]

  await refuses(
    register,
    wrong,
    `${settings}. Trino says: ERR_BAD_REQUEST: Request failed with status code 401`,
  )
  await refuses(register, strange, `${vouches}. Trino says: UNABLE_TO_VERIFY_LEAF_SIGNATURE`)
  await refuses([...register, ...clear], env, 'a password is sent over https alone')
  await refuses([...register, '--trino-catalog', 'read_only'], env, 'without delta.security=READ_ONLY')
  await runToEnd(register, env)
  say(
    'registered with a password; refused with another, without the authority, in the clear, and where nothing is written',
  )

  const flags = [...place, '--trino-catalog', 'read_only', '--trino-session', 'retry_policy=QUERY']
  await serveCorpus(lake, flags, say, env)
  await arrived(cluster.access)
  say('the user, the name of the program and the session properties arrived')

  const serve = [program, 'serve', '--lake', lake, '--port', '0', '--engine', 'trino', ...flags]
  await refuses([...serve, ...clear], env, 'a password is sent over https alone')
  await refusesToAnswer(serve, wrong, settings, 'Request failed with status code 401')
  await refusesToAnswer(serve, strange, vouches, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  say('served as 503 with a wrong password and without the authority, with the reason in the log')
}

async function refuses(args: readonly string[], env: Env, words: string): Promise<void> {
  const said = await runToEnd(args, env).then(
    ({ stdout }) => stdout,
    (error: Error) => error.message,
  )
  expectWords(said, / left with [1-9]/, words)
  expectSecret(said, env)
}

async function refusesToAnswer(
  args: readonly string[],
  env: Env,
  sentence: string,
  reason: string,
): Promise<void> {
  let log = ''
  const serving = await startServing(args, env, (text) => {
    log += text
  })
  const reply = await fetch(serving.address + LIST)
  const body = await reply.text()
  await serving.stop()
  expectWords(`${reply.status} ${body}`, /^503 /, sentence)
  expectWords(log, /Trino does not answer/, reason)
  expectSecret(log + body, env)
}

/** The statements of the corpus, as the cluster knows them. */
async function arrived(access: Access): Promise<void> {
  const sql = `SELECT query_id, "user", source FROM system.runtime.queries WHERE query LIKE '%secured%iot_reward_shares%VERSION%'`
  const [row] = await askCluster(access, sql)
  const [id, ...others] = row ?? []
  if (others.join() !== `${securedUser},ledgerlake`) throw new Error(`a statement of ${others} arrived`)
  const { password, authority: ca } = access
  const sent = request(`${access.server}/v1/query/${id}`, { ca, auth: `${securedUser}:${password}` }).end()
  const [reply] = await once(sent, 'response')
  const { session } = (await json(reply)) as { session: { systemProperties: Record<string, string> } }
  const { retry_policy: policy, query_max_run_time: longest } = session.systemProperties
  if (policy !== 'QUERY' || !/^\d+ms$/.test(longest ?? ''))
    throw new Error(`a session has ${JSON.stringify(session.systemProperties)}`)
}

function expectWords(said: string, start: RegExp, words: string): void {
  if (!start.test(said) || !said.includes(words)) throw new Error(`there should be "${words}" in: ${said}`)
}

function expectSecret(said: string, { LEDGERLAKE_TRINO_PASSWORD: password = '' }: Env): void {
  const spelled = [password, Buffer.from(`${securedUser}:${password}`).toString('base64')]
  if (spelled.some((text) => said.includes(text))) throw new Error(`a password is told in: ${said}`)
}
