import { cp, mkdir, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { everyRestAnswer } from '../every-answer.ts'
import { smallNetwork } from '../fixtures.ts'
import { runProgram, startServing } from '../run-program.ts'

/** Runs a command on the lake in the bucket, with a copy in a folder of its own. */
type OnLake = (copy: string, words: readonly string[]) => Promise<string>

/** The same, killed at some moment; gives whether it was still running then. */
type Killed = (copy: string, words: readonly string[]) => Promise<boolean>

/** Of each writer. */
const KILLS = 6

/** A lake that two programs write at once, killed again and again, and that is compacted and vacuumed, has the answers of a local one. Gives what was done. */
export async function checkSameAnswers(folder: string, onLake: OnLake, killed: Killed): Promise<string> {
  const halves = [join(folder, 'half-0'), join(folder, 'half-1')]
  for (const half of halves) await mkdir(half)
  const files = (await readdir(smallNetwork, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  )
  // Every third file goes to both.
  for (const [place, { parentPath, name }] of files.entries())
    for (const half of place % 3 === 2 ? halves : [halves[place % 3] ?? ''])
      await cp(join(parentPath, name), join(half, relative(smallNetwork, parentPath), name))
  const words = (half: string) => ['ingest', half, '--ingest-commit-rows', '1']
  let kills = 0
  for (let round = 0; round < KILLS; round += 1) {
    const ended = halves.map((half, place) => killed(`writer-${place}`, words(half)))
    kills += (await Promise.all(ended)).filter((isKilled) => isKilled).length
  }
  if (kills < KILLS)
    throw new Error(`only ${kills} of ${2 * KILLS} runs were still going on when they were killed`)
  await Promise.all(halves.map((half, place) => onLake(`writer-${place}`, words(half))))
  const compacted = await onLake('writer-0', ['compact', '--json'])
  const vacuumed = await onLake('writer-1', ['vacuum', '--keep-hours', '0', '--json'])
  await onLake('reader', ['verify'])
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
  const merged = JSON.parse(compacted).partitions.length
  const removed = JSON.parse(vacuumed).tables.flatMap(
    ({ paths }: { paths: readonly string[] }) => paths,
  ).length
  return (
    `${files.length} files by two writers after ${kills} kills, ${merged} partitions compacted, ${removed} files vacuumed: ` +
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
