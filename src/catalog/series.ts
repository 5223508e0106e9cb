/** Lengths of the steps of a series; `all` is the whole range. */
export const intervals = ['day', 'week', 'month', 'all'] as const

export type Interval = (typeof intervals)[number]

export const groupings = ['reward_type', 'token', 'hotspot', 'owner', 'maker', 'service_provider'] as const

export type Grouping = (typeof groupings)[number]
