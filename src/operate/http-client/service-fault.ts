/**
 * `passing`: the same request may succeed later. `moved`: the snapshot that was asked for is not answered any more.
 * `refused`: it will not succeed, and the sentence says what would.
 */
type ServiceFaultKind = 'passing' | 'moved' | 'refused'

/** A failed request to a service. */
export class ServiceFault extends Error {
  readonly kind: ServiceFaultKind
  /** Wait requested by the service, in milliseconds. */
  readonly waitMs: number | undefined
  /** Status of the reply; undefined without a reply. */
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
