import type { Reader } from './readers.ts'
import { setting } from './setting.ts'

const engines = ['duckdb', 'trino'] as const

const engine: Reader<(typeof engines)[number]> = {
  advice: 'use duckdb or trino',
  read: (text) => engines.find((name) => name === text),
}

/** Scheme, host and port, without user and password. */
const server: Reader<string> = {
  advice: 'use an address such as https://trino.example.org:8443, without a path and without a user',
  read(text) {
    const isAddress = text === '' || (/^https?:\/\/[^/?#@\s]+\/?$/i.test(text) && URL.canParse(text))
    return isAddress ? text.replace(/\/$/, '') : undefined
  },
}

/** Lower-case names, as Trino stores them. */
const identifier: Reader<string> = {
  advice: 'use lower-case letters, digits and underscores, beginning with a letter',
  read: (text) => (/^[a-z][a-z\d_]{0,127}$/.test(text) ? text : undefined),
}

const user: Reader<string> = {
  advice: 'use printable ASCII without a colon',
  read: (text) => (/^[!-9;-~]+$/.test(text) ? text : undefined),
}

const PROPERTY = /^([a-z][\w.]*)=([^\s,=]+)$/

const session: Reader<Readonly<Record<string, string>>> = {
  advice:
    'use properties such as retry_policy=QUERY, separated by commas; query_max_run_time follows from --request-timeout-ms',
  read(text) {
    const given = text.split(',').map((one) => one.trim())
    const pairs = given.filter((one) => one !== '').map((one) => PROPERTY.exec(one)?.slice(1) ?? [])
    const isKnown = pairs.every(([name = 'query_max_run_time']) => name !== 'query_max_run_time')
    return isKnown ? Object.fromEntries(pairs) : undefined
  },
}

const location: Reader<string> = {
  advice: 'use an address such as local:///srv/lake or s3://bucket/lake',
  read: (text) => (text === '' || /^[a-z][a-z\d]*:\/\/[^\s?#']+$/.test(text) ? text : undefined),
}

/** Settings of the engine and of the Trino cluster. */
export const trinoSettings = {
  engine: {
    ...setting(engine, 'ENGINE', 'duckdb'),
    meaning: 'Engine for requests that the log and the indexes cannot answer: duckdb or trino.',
  },
  trino_server: {
    ...setting(server, 'URL'),
    meaning: 'Address of the coordinator, such as https://trino.example.org:8443.',
  },
  trino_catalog: { ...setting(identifier, 'NAME', 'lake'), meaning: 'Catalog of Trino that has the tables.' },
  trino_schema: {
    ...setting(identifier, 'NAME', 'default'),
    meaning: 'Schema of Trino that has the tables.',
  },
  trino_user: {
    ...setting(user, 'NAME', 'ledgerlake'),
    meaning: 'User of Trino; the password is read only from LEDGERLAKE_TRINO_PASSWORD in the environment.',
  },
  trino_session: {
    ...setting(session, 'PROPERTIES'),
    meaning: 'Session properties of every statement, such as retry_policy=QUERY, separated by commas.',
  },
  trino_location: {
    ...setting(location, 'URL'),
    meaning:
      'Location of the lake as the cluster sees it, such as s3://bucket/lake; empty: local:// and the local path.',
  },
}
