/** The snapshot that the examples of a document come from, or why they show only the form. */
export type Shown = { readonly snapshot: string } | 'nothing ingested' | 'key needed'
