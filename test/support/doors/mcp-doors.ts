import { readExact } from '../exact-json.ts'
import type { Answer } from './expected.ts'
import { parametersOf, type Question } from './question.ts'
import { addRecords, type Json, sumsIn } from './rest-doors.ts'
import type { DoorWorld } from './world.ts'

interface Called {
  readonly answer: Json
  readonly next?: { readonly cursor: string } | null
}

async function call(world: DoorWorld, tool: string, question: Question, more: Json = {}): Promise<Called> {
  const { mcp, snapshots } = world
  const given = { resource: question.resource.name, ...parametersOf(question, snapshots), ...more }
  const { isError, text } = await mcp.call(tool, given)
  if (isError) throw new Error(`${tool} ${JSON.stringify(given)}: ${text}`)
  return readExact<Called>(text)
}

export async function askMcpList(world: DoorWorld, question: Question): Promise<Answer> {
  const { resource } = question
  const records: Json[] = []
  for (let cursor: Json = {}; ; ) {
    const { answer, next } = await call(world, 'list', question, { rows: 100, ...cursor })
    const { [resource.rest?.envelope ?? '']: list = answer.records } = answer
    records.push(...(list as readonly Json[]))
    if (next === null || next === undefined) return addRecords(resource, records)
    cursor = { cursor: next.cursor }
  }
}

export async function askMcpTotals(world: DoorWorld, question: Question): Promise<Answer> {
  const { answer } = await call(world, 'totals', question)
  return sumsIn(question.resource.totals ?? {}, [answer])
}

export async function askMcpSeries(world: DoorWorld, question: Question): Promise<Answer> {
  const { series } = question.resource
  const { answer } = await call(world, 'series', question, { interval: 'all', rows: 1000 })
  return sumsIn(series?.sums ?? {}, answer.records as readonly Json[])
}
