/** As many records as one page of a REST list has, and as many nodes as one reply of GraphQL. */
export const MOST_PER_PAGE = 100
export const MOST_NODES = 100

/** A parameter that chooses a page: a whole number, and the one that holds unless it is given. */
interface PageParameter {
  readonly description: string
  readonly minimum: number
  readonly maximum: number
  readonly default: number
}

/** The parameters of paging; `perPage` is the page size unless one is asked for. Source: specification, "Limits". */
export function pageParameters(perPage: number): Readonly<Record<'page' | 'per_page', PageParameter>> {
  return {
    // The largest by which 100 records a page are a safe integer still.
    page: { description: 'Number of the page.', minimum: 1, maximum: 9_007_199_254_740, default: 1 },
    per_page: {
      description: 'Records in a page.',
      minimum: 1,
      maximum: MOST_PER_PAGE,
      default: perPage,
    },
  }
}
