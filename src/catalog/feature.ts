/** What an API key may be allowed to ask. Source: specification, "What the service does". */
export const features = ['HotspotData', 'OracleData', 'Aggregates'] as const

export type Feature = (typeof features)[number]
