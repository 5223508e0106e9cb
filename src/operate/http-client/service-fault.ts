/**
 * `passing`: the same request may succeed later. `moved`: the snapshot that was asked for is not answered any more.
 * `refused`: it will not succeed, and the sentence says what would.
 */
type ServiceFaultKind = 'passing' | 'moved' | 'refused'

/** Why a service did not answer as it was asked. */
export class ServiceFault extends Error {
  readonly kind: ServiceFaultKind
  /** When the service wants to be asked again. */
  readonly waitMs: number | undefined
  /** Of the reply; undefined where none came. */
  readonly status: number | undefined

  constructor(
    kind: ServiceFaultKind,
    sentence: string,
    details: {
      readonly cause?: unknown
      readonly waitMs?: number | undefined
      readonly status?: number
    } = {},
  ) {
    super(sentence, { cause: details.cause })
    this.name = 'ServiceFault'
    this.kind = kind
    this.waitMs = details.waitMs
    this.status = details.status
  }
}
