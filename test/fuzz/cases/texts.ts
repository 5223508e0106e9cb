import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '../../../src/base/errors.ts'
import { readCursor, writeCursor } from '../../../src/catalog/query/cursor.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { readConfigFile } from '../../../src/services/settings/config-file.ts'
import { readSettings, settingRows } from '../../../src/services/settings/settings.ts'
import type { Random } from '../../../src/write/sample/random.ts'
import { spell } from '../../support/exact-json.ts'
import { pick } from '../../support/network/draw.ts'
import { changeText, oddText } from './changes.ts'
import { must, some, type Target } from './target.ts'
import type { World } from './world.ts'

/** Texts that callers and operators write: cursors, ids of snapshots, configuration files, flags and variables. */
export function textTargets(world: World): readonly Target[] {
  return [cursorTarget(world), snapshotTarget(world), settingsTarget(world)]
}

/** A cursor leads to the place that it names, or nowhere. */
function cursorTarget(world: World): Target<{ table: string; cursor: string }> {
  const readable = resources.filter(
    (resource) => resource.graphql !== undefined && world.rowsOf(resource).length > 0,
  )
  return {
    name: 'cursors',
    draw(random) {
      const resource = pick(readable, random)
      const row = pick(world.rowsOf(resource), random)
      return {
        table: resource.name,
        cursor: writeCursor(
          resource,
          resource.order.map(({ column }) => row[column] ?? null),
        ),
      }
    },
    mutate({ table, cursor }, random) {
      if (random.chance(0.3)) return { table, cursor: changeText(cursor, random) }
      const changed = changeText(Buffer.from(cursor, 'base64url').toString(), random)
      return { table, cursor: Buffer.from(changed).toString('base64url') }
    },
    show: spell,
    async run({ table, cursor }, isValid) {
      const resource = readable.find(({ name }) => name === table)
      const position = resource && readCursor(resource, cursor)
      must(!isValid || position !== undefined, () => 'a cursor of a row was refused')
      if (position === undefined) return 'refused'
      const [name, ...values] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as (string | null)[]
      must(name === table, () => 'a cursor of another list was taken')
      const own = position.map((value) => (value === null ? null : String(value)))
      must(spell(own) === spell(values), () => `it names ${spell(values)}, and was read as ${spell(own)}`)
      return 'data'
    },
  }
}

/** An id leads to the snapshot that it names, or to none. */
function snapshotTarget(world: World): Target<string> {
  const lake = new Lake(world.lake)
  return {
    name: 'snapshot ids',
    draw: (random) => pick(world.snapshots, random),
    mutate: changeText,
    show: (id) => id,
    async run(id, isValid) {
      const snapshot = await lake.at(id).catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error
        return undefined
      })
      must(!isValid || snapshot?.id === id, () => `the snapshot is ${snapshot?.id}`)
      if (snapshot === undefined) return 'refused'
      // Ids of old builds name versions alone.
      const isOld = /^[\d.]+$/.test(id)
      must(isOld || snapshot.id === id, () => `it leads to ${snapshot.id}`)
      return 'data'
    },
  }
}

type Given = Readonly<Record<string, string>>
interface Settings {
  readonly file: string
  readonly flags: Given
  readonly environment: Given
}

const choices: Given = {
  log_level: 'warn',
  compat: 'relay',
  cors: '*',
  trust_proxy: 'loopback',
  metrics_listen: '127.0.0.1:9',
  public_url: '/base',
  network: 'other',
  lake: 'lake',
}

/** A setting has the value that was written, or is refused by its name. */
function settingsTarget(world: World): Target<Settings> {
  const path = join(world.folder, 'settings.json')
  const named = settingRows.map(({ name }) => name).filter((name) => name !== 'config')
  const texts = (random: Random): Given =>
    Object.fromEntries(some(named, random, 0.1).map((name) => [name, textOf(name, random)]))
  const textOf = (name: string, random: Random) => {
    const { fallback = '' } = settingRows.find((row) => row.name === name) ?? {}
    if (/^\d+$/.test(fallback)) return `${Math.min(65_535, Math.max(1, Number(fallback) - random.below(3)))}`
    return /^(true|false)$/.test(fallback) ? pick(['true', 'false'], random) : (choices[name] ?? fallback)
  }
  return {
    name: 'settings',
    draw: (random) => ({
      ...{ file: JSON.stringify(texts(random)), flags: texts(random) },
      environment: Object.fromEntries(
        Object.entries(texts(random)).map(([name, text]) => [`LEDGERLAKE_${name.toUpperCase()}`, text]),
      ),
    }),
    mutate(given, random) {
      const change = (of: Given): Given => {
        const [name = 'port', text = ''] = pick(Object.entries(of), random)
        const other = random.chance(0.5) ? changeText(text, random) : oddText(random)
        return random.chance(0.8) ? { ...of, [name]: other } : { ...of, [changeText(name, random)]: text }
      }
      const ways = [
        () => ({ ...given, file: changeText(given.file, random) }),
        () => ({ ...given, environment: change(given.environment) }),
        () => ({ ...given, flags: { ...given.flags, [pick(named, random)]: oddText(random) } }),
      ]
      return pick(ways, random)()
    },
    show: spell,
    async run({ file, flags, environment }, isValid) {
      writeFileSync(path, file)
      try {
        const settings: Readonly<Record<string, unknown>> = readSettings(
          environment,
          flags,
          readConfigFile(path),
        )
        const written = JSON.parse(file) as Readonly<Record<string, unknown>>
        for (const name of named) {
          const given = flags[name] ?? environment[`LEDGERLAKE_${name.toUpperCase()}`] ?? written[name]
          if (typeof settings[name] !== 'number' || given === undefined) continue
          must(
            /^\d+$/.test(String(given)) && BigInt(String(given)) === BigInt(settings[name]),
            () => `${name} is ${settings[name]}, not ${String(given)}`,
          )
        }
        return 'data'
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        must(!isValid, () => `valid settings were refused: ${error.message}`)
        must(error.code === 'malformed_request', () => `${error.code}: ${error.message}`)
        const wrong = [
          path,
          ...Object.keys(environment),
          ...Object.keys(flags).map((name) => `--${name.replaceAll('_', '-')}`),
        ]
        must(
          wrong.some((name) => error.message.includes(name)),
          () => `nothing is named: ${error.message}`,
        )
        return 'refused'
      }
    },
  }
}
