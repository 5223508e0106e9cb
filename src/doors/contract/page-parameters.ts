/** As many records as one page of a REST list has at most, and as many nodes as one reply of GraphQL. */
export const MOST_PER_PAGE = 100
export const MOST_NODES = 100

/** The largest number of a page. Times MOST_PER_PAGE it is far from what is no safe integer. */
const MOST_PAGE = 9_007_199_254_740

/** The whole numbers that choose a page; `perPage` is the page size unless one is asked for. Source: specification, "Limits". */
export function pageParameters(perPage: number) {
  return {
    page: { description: 'Number of the page.', minimum: 1, maximum: MOST_PAGE, default: 1 },
    per_page: { description: 'Records in a page.', minimum: 1, maximum: MOST_PER_PAGE, default: perPage },
  }
}
