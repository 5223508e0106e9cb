import type { GraphQLSchema } from 'graphql'
import type { Repository } from '../../answers/repository.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Gate } from '../gate/gate.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'
import type { Documents } from './lists/documents.ts'

/** The parts of the server that queries use. */
export interface GraphqlServices {
  readonly schema: GraphQLSchema
  /** The same schema with `nodes` as text. */
  readonly rowsSchema: GraphQLSchema
  readonly documents: Documents
  readonly resources: readonly Resource[]
  /** Prefix of REST paths. */
  readonly restPrefix: string
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly gate: Gate
}
