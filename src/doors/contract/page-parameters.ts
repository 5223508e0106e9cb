/** Maximum records of a REST page, and nodes of a GraphQL reply. */
export const MOST_PER_PAGE = 100
export const MOST_NODES = 100

/** Maximum page number; times MOST_PER_PAGE it stays a safe integer. */
const MOST_PAGE = 9_007_199_254_740

/** Limits of page parameters; `perPage` is the default page size. Source: specification, "Limits". */
export function pageParameters(perPage: number) {
  return {
    page: { description: 'Number of the page.', minimum: 1, maximum: MOST_PAGE, default: 1 },
    per_page: { description: 'Records in a page.', minimum: 1, maximum: MOST_PER_PAGE, default: perPage },
  }
}
