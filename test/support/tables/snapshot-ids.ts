import type { Resource } from '../../../src/catalog/resource.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'

/** The id of a lake that has one table, at a version of it. */
export async function idAt(folder: string, resource: Resource, version: number): Promise<string> {
  const id = await new Lake(folder).idAt(new Map([[resource, version]]))
  if (id === undefined) throw new Error(`${resource.name} has no version ${version}`)
  return id
}
