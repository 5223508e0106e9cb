/** Where the examples of a document come from: a snapshot, or only their form is shown, and why. */
export type Shown = { readonly snapshot: string } | 'nothing ingested' | 'key needed'
