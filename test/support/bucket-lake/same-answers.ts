import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { everyRestAnswer } from '../every-answer.ts'
import { smallNetwork } from '../fixtures.ts'
import { runProgram, startServing } from '../servers/run-program.ts'
import type { Machines } from './machines.ts'

/** Of each writer. */
const KILLS = 6

/** A lake that two programs write at once, killed again and again, and that is compacted and vacuumed, has the answers of a local one. Gives what was done. */
export async function checkSameAnswers(folder: string, { run, kill }: Machines): Promise<string> {
  const halves = [join(folder, 'half-0'), join(folder, 'half-1')]
  const entries = await readdir(smallNetwork, { recursive: true, withFileTypes: true })
  const paths = entries.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  // Every third file goes to both.
  for (const [place, path] of paths.entries())
    for (const half of place % 3 === 2 ? halves : [halves[place % 3] ?? ''])
      await cp(path, path.replace(smallNetwork, half))
  const atOnce = <T>(work: (copy: string, words: readonly string[]) => Promise<T>) =>
    Promise.all(
      halves.map((half, place) => work(`writer-${place}`, ['ingest', half, '--ingest-commit-rows', '1'])),
    )
  let kills = 0
  for (let round = 0; round < KILLS; round += 1) kills += (await atOnce(kill)).filter(Boolean).length
  if (kills < KILLS)
    throw new Error(`only ${kills} of ${2 * KILLS} runs were still going on when they were killed`)
  await atOnce(run)
  const merged = JSON.parse(await run('writer-0', ['compact', '--json'])).partitions.length
  const { tables } = JSON.parse(await run('writer-1', ['vacuum', '--keep-hours', '0', '--json'])) as {
    tables: readonly { paths: readonly string[] }[]
  }
  const removed = tables.reduce((sum, table) => sum + table.paths.length, 0)
  await run('reader', ['verify'])
  const local = join(folder, 'local')
  const { code, stderr } = await runProgram(['ingest', smallNetwork, '--lake', local], { cwd: folder })
  if (code !== 0) throw new Error(stderr)
  const [expected, found] = [await answersOf(local), await answersOf(join(folder, 'reader'))]
  const others = Object.keys(expected).filter((asked) => expected[asked] !== found[asked])
  const answers = Object.keys(expected).length
  if (others.length > 0 || answers < 30)
    throw new Error(
      `${others.length} of ${answers} answers differ, such as ${others[0]}: ${found[others[0] ?? '']}`,
    )
  return (
    `${paths.length} files by two writers after ${kills} kills, ${merged} partitions compacted, ${removed} files vacuumed: ` +
    `${answers} answers are those of a local lake`
  )
}

/** Every answer of REST over a lake, which is served for it. */
async function answersOf(lake: string): Promise<Readonly<Record<string, string>>> {
  const server = await startServing(['--lake', lake, '--port', '0'], { cwd: lake })
  const answers = await everyRestAnswer(async (path) => {
    const reply = await fetch(`${server.address}/v1/net${path}`)
    return { status: reply.status, text: await reply.text() }
  })
  server.child.kill('SIGTERM')
  await server.finished
  return answers
}
