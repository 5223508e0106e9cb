/** Headers of a response that depend on the counts of its key: rate limit and quota. */
export const limitHeaders = [
  ...['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  ...['Ledgerlake-Quota-Limit', 'Ledgerlake-Quota-Remaining', 'Ledgerlake-Quota-Reset'],
]
