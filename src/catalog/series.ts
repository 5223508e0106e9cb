/** How long the steps of a series are; `all` is the whole range as one. */
export const intervals = ['day', 'week', 'month', 'all'] as const

export type Interval = (typeof intervals)[number]

/** What a series may be divided by. */
export const groupings = ['reward_type', 'token', 'hotspot', 'owner', 'maker', 'service_provider'] as const

export type Grouping = (typeof groupings)[number]
