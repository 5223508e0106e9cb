/** An example query. */
export interface ExampleQuery {
  readonly title: string
  readonly query: string
  /** JSON text. */
  readonly variables: string
}

const month = `{
  "from": "2025-02-01",
  "to": "2025-03-01"
}`

/** The queries of the guides, simplest first. */
export const examples: readonly [ExampleQuery, ...ExampleQuery[]] = [
  {
    title: 'Rewards of hotspots, page by page',
    query: `# Ctrl-Enter runs this. Pass endCursor as after for the next page.
query Rewards($after: String) {
  iotRewardShares(first: 10, after: $after) {
    nodes {
      hotspotKey
      rewardType
      endPeriod
      beaconAmount
      witnessAmount
      dcTransferAmount
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,
    variables: '',
  },
  {
    title: 'Find what a name or key belongs to',
    query: `query Find($q: String!) {
  search(q: $q) {
    hits {
      kind
      name
      key
      path
    }
    more
  }
}
`,
    variables: `{
  "q": "Swift Crimson Falc"
}`,
  },
  {
    title: 'Hotspots and where they are',
    query: `query Hotspots {
  hotspots(first: 10) {
    nodes {
      name
      eccKey
      owner
      iotInfo {
        location
        gain
        elevation
      }
    }
  }
}
`,
    variables: '',
  },
  {
    title: 'Sums of a range, IoT and Mobile',
    query: `query Sums($from: ISO8601DateTime!, $to: ISO8601DateTime!) {
  iotRewardShareTotals(from: $from, to: $to) {
    totalBeaconAmount
    totalWitnessAmount
    totalDcTransferAmount
    totalAmount
  }
  mobileRewardShareTotals(from: $from, to: $to) {
    totalDcTransferReward
    totalPocReward
  }
}
`,
    variables: month,
  },
  {
    title: 'The hotspots that earned most, by month',
    query: `query Greatest($from: ISO8601DateTime!, $to: ISO8601DateTime!) {
  iotRewardShareSeries(from: $from, to: $to, interval: MONTH, groupBy: HOTSPOT, limit: 10) {
    rows {
      start
      token
      group
      earned
      usd
    }
    meta {
      days
    }
  }
}
`,
    variables: month,
  },
]
