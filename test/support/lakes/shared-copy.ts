import { join } from 'node:path'
import { followShared } from '../../../src/operate/follow/follow-shared.ts'
import { openSharingOrigin } from '../../../src/operate/follow/sharing-origin.ts'
import { openRandom } from '../../../src/write/sample/random.ts'
import { openTestWriter } from '../open-test-writer.ts'
import { roughWay } from '../rough-way.ts'
import { buildTestServer } from '../servers/build-test-server.ts'
import { sharingOf } from '../servers/sharing.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** The address of a server that shares a lake with everybody, and looks for commits every 100 ms unless that is said. */
export async function shareLake(
  lake: string,
  options: Parameters<typeof sharingOf>[1] = {},
  refreshMs = 100,
) {
  const { server } = await buildTestServer(lake, refreshMs, undefined, sharingOf(lake, options))
  return await server.listen({ port: 0, host: '127.0.0.1' })
}

/**
 * A copy of a lake that is followed over HTTP and a way that may be rough. Each call of `again` is a new follower. Where no reply may be silent, it
 * has long enough for a busy machine.
 */
export async function sharedCopy(address: string, silentMs = 60_000) {
  const way = await roughWay(address, openRandom())
  const lake = join(await temporaryFolder(), 'copy')
  const openOrigin = () => openSharingOrigin({ endpoint: `${way.address}/delta-sharing`, key: '', silentMs })
  const request = {
    ...{ lake, patience: { attempts: 4, firstWaitMs: 1 }, openWriter: openTestWriter },
    signal: new AbortController().signal,
  }
  return { lake, way, openOrigin, request, again: () => followShared({ ...request, origin: openOrigin() }) }
}
