/** The pagination of a REST list. Source: specification, "Pagination info". */
export interface PageMeta {
  /** Records in this page. */
  readonly count: number
  readonly total_pages: number
  readonly current_page: number
  readonly next_page: number | null
  readonly prev_page: number | null
}

export interface PageRequest {
  readonly page: number
  readonly perPage: number
}

export function offsetOf({ page, perPage }: PageRequest): number {
  return (page - 1) * perPage
}

/** Computes `meta`. A page past the end is empty and keeps total_pages; an empty list has one page. */
export function pageMeta({ page, perPage }: PageRequest, total: number): PageMeta {
  const totalPages = Math.max(1, Math.ceil(total / perPage))
  return {
    count: Math.max(0, Math.min(perPage, total - offsetOf({ page, perPage }))),
    total_pages: totalPages,
    current_page: page,
    next_page: page < totalPages ? page + 1 : null,
    prev_page: page > 1 ? page - 1 : null,
  }
}
