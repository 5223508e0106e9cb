/** Features of API keys. Source: specification, "What the service does". */
export const features = ['HotspotData', 'OracleData', 'Aggregates'] as const

/** Features that only keys that name them have: metrics are for the operator. */
export const operatorFeatures = ['Metrics'] as const

/** SQL; only for keys that name it and may read everything. */
export const sqlFeatures = ['Sql'] as const

/** Delta Sharing; granted like `Sql`. */
export const shareFeatures = ['Share'] as const

export const allFeatures = [...features, ...operatorFeatures, ...sqlFeatures, ...shareFeatures] as const

export type Feature = (typeof allFeatures)[number]
