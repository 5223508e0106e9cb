import { join } from 'node:path'
import { makers } from '../../../src/catalog/l2/makers.ts'
import { resourceNamed } from '../../../src/catalog/resources.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import {
  type FollowedResource,
  followedResources,
} from '../../../src/operate/sync/records/followed-resources.ts'
import type { RecordsRequest } from '../../../src/operate/sync/records/sync-records.ts'
import { openServices } from '../../../src/services/services.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { ingestInto } from '../lakes/build-lake.ts'

export function followed(name: string): FollowedResource {
  const found = followedResources.find((one) => one.name === name)
  if (found === undefined) throw new Error(`${name} is not followed`)
  return found
}

/** A request for a list of a service, ingested as tests ingest; makers unless another is given. */
export function recordsRequest(
  address: string,
  folder: string,
  changes: Partial<RecordsRequest> = {},
): RecordsRequest {
  const lake = join(folder, 'lake')
  const resource = changes.resource ?? followed(makers.name)
  return {
    ...{ lake, address, resource, folder: join(folder, `sync-${resource.name}`) },
    ...{ key: '', ratePerMinute: 1_000_000, patience: { attempts: 5, firstWaitMs: 5 } },
    isReplacing: false,
    rowsOf: () => rowsIn(lake, resource.name),
    ingest: (path, replaceAll) => ingestInto(lake, [path], { replaceAll }),
    ...changes,
  }
}

/** All rows of a table, as a server reads them. */
export async function* rowsIn(lake: string, name: string) {
  const resource = resourceNamed(name)
  if (resource === undefined) throw new Error(`there is no table ${name}`)
  const services = await openServices(
    readSettings({}, { lake, engine_memory_mb: '256', engine_threads: '1' }),
  )
  try {
    const at = await new Lake(lake).latest()
    yield* services.engine.rowBatches({ resource, where: [], columns: Object.keys(resource.columns) }, at)
  } finally {
    await services.close()
  }
}
