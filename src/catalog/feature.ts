/** What an API key may be allowed to ask. Source: specification, "What the service does". */
export const features = ['HotspotData', 'OracleData', 'Aggregates'] as const

/** What a key has only if it is named: to see how the server does is for its operator. */
export const operatorFeatures = ['Metrics'] as const

/** Statements over whole tables; it is named as well, and given only to keys that may read everything. */
export const sqlFeatures = ['Sql'] as const

/** Whole tables as their files, to recipients of Delta Sharing; named and given as `Sql` is. */
export const shareFeatures = ['Share'] as const

export const allFeatures = [...features, ...operatorFeatures, ...sqlFeatures, ...shareFeatures] as const

export type Feature = (typeof allFeatures)[number]
