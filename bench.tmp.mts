import { readFileSync, readdirSync } from 'node:fs'
import { readAction as oldRead } from './src/lake/log/old-actions.ts'
import { readAction as newRead } from './src/lake/log/log-actions.ts'
const dir = '/work/lakes/S/lake/iot_reward_shares/_delta_log/'
const lines = readdirSync(dir).filter((n) => /^\d+\.json$/.test(n)).flatMap((n) => readFileSync(dir + n, 'utf8').trim().split('\n'))
const adds = lines.filter((l) => l.startsWith('{"add"'))
console.log(lines.length, adds.length, adds[0]!.length, adds[0]!.slice(0, 200))
const all = Array.from({ length: Math.ceil(20000 / adds.length) }, () => adds).flat()
const time = (read: typeof oldRead) => { const t = process.cpuUsage(); for (const l of all) read(l, 'x'); const d = process.cpuUsage(t); return (d.user + d.system) / all.length }
const parse = () => { const t = process.cpuUsage(); for (const l of all) JSON.parse(l); const d = process.cpuUsage(t); return (d.user + d.system) / all.length }
for (let r = 0; r < 8; r++) console.log('old', time(oldRead).toFixed(2), 'new', time(newRead).toFixed(2), 'parse', parse().toFixed(2), 'us/line')
for (const l of lines) if (JSON.stringify(oldRead(l, 'x')) !== JSON.stringify(newRead(l, 'x'))) console.log('DIFF', l.slice(0, 100))
// errors
const base = JSON.parse(adds[0]!)
const vals = [null, undefined, 1, -1, 1.5, 2 ** 53, 'x', true, [], ['a'], [1], {}, { a: 'b' }, { a: 1 }, { a: null }]
let n = 0
const shapes: any[] = lines.map((l) => JSON.parse(l)).concat([{ txn: { appId: 'a', version: 1, lastUpdated: 3 } }, { remove: { path: base.add.path, deletionTimestamp: 1, dataChange: true, extendedFileMetadata: true, partitionValues: { month: '2025-01' }, size: 3 } }, { commitInfo: { timestamp: 1, boot: 'a', sinceBoot: 1, clockBehind: 2 } }, {protocol:{minReaderVersion:1,minWriterVersion:2,readerFeatures:['a'],writerFeatures:['b']}}, { metaData: { id: 'a', name: 'b', description: 'c', format: { provider: 'p', options: {} }, schemaString: '', partitionColumns: [], configuration: {}, createdTime: 1 } }])
const seen = new Set()
for (const a of shapes) { const k = Object.keys(a)[0]!; const key = k + Object.keys(a[k]).join(); if (seen.has(key)) continue; seen.add(key)
  for (const m of Object.keys(a[k]).concat('format.provider', 'format.options')) for (const v of vals) {
    const c = structuredClone(a); if (m.includes('.')) { if (k !== 'metaData') continue; c[k].format[m.split('.')[1]!] = v } else c[k][m] = v
    const l = JSON.stringify(c)
    const out = (f: any) => { try { return JSON.stringify(f(l, 'x')) } catch (e) { return String(e) } }
    n++
    if (out(oldRead) !== out(newRead)) console.log('DIFF', k, m, v, '\n ', out(oldRead), '\n ', out(newRead)) } }
console.log(n, 'compared')
