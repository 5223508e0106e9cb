import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { TestServer } from '../build-test-server.ts'
import { waitUntil } from '../wait.ts'

/** Id of the snapshot that a server answers from. */
export async function snapshotOf({ server }: TestServer): Promise<string> {
  const reply = await server.inject('/readyz')
  return (JSON.parse(reply.body) as { snapshot: string }).snapshot
}

/** Waits until a server answers from the newest snapshot of its lake. */
export async function caughtUp(server: TestServer, lake: string): Promise<void> {
  const { id } = await new Lake(lake).latest()
  await waitUntil(async () => (await snapshotOf(server)) === id)
}
