/** Who plays a role: somebody drawn, the owner of the first player, or the first, second or third player again. */
export type Player =
  | 'account'
  | 'gateway'
  | 'validator'
  | 'router'
  | 'oracle'
  | 'owner'
  | 'first'
  | 'second'
  | 'third'

export type BurnType = 'fee' | 'assert_location' | 'add_gateway' | 'oui' | 'routing'

export interface TransactionKind {
  readonly type: string
  /** How many of a thousand transactions, before and after validators took over the challenges. */
  readonly share: readonly [early: number, late: number]
  /** Players by their roles, in the order in which they are listed. */
  readonly actors: Readonly<Record<string, Player>>
  /** A role that several neighbours play, each once. */
  readonly several?: {
    readonly role: string
    readonly player: 'gateway' | 'validator'
    readonly most: number
  }
  /** What the second or, when there is only one, the first player pays for. */
  readonly burns?: readonly BurnType[]
  /**
   * JSON as the archive writes it. `<0>` is the address of the first player, `<several>` are those of `several`;
   * the other words in angle brackets are explained in `l1-fields.ts`.
   */
  readonly fields: string
}

const receipts =
  '{"fee": 0, "hash": "<hash>", "path": [{"receipt": {"snr": <snr>, "origin": "p2p", "signal": -<small>, ' +
  '"channel": <digit>, "frequency": 904.<small>, "timestamp": <nanoseconds>}, ' +
  '"geocode": null, "witnesses": [<several>], "challengee": "<0>"}], "type": "<type>", "secret": "<secret>", ' +
  '"challenger": "<1>", "onion_key_hash": "<secret>"}'
const payment =
  '{"fee": <fee>, "hash": "<hash>", "memo": "<memo>", "type": "<type>", "nonce": <small>, "payer": "<0>", ' +
  '"payments": [{"memo": "AAAAAAAAAAA=", "payee": "<1>", "amount": <amount>}], "signature": "<secret><secret>"}'
const location =
  '{"fee": <fee>, "gain": <small>, "hash": "<hash>", "type": "<type>", "nonce": <digit>, "owner": "<1>", "payer": "<2>", ' +
  '"gateway": "<0>", "location": "8c2a1<small>a2b1ff", "elevation": <digit>, "staking_fee": 1000000}'
const transfer =
  '{"fee": <fee>, "hash": "<hash>", "type": "<type>", "nonce": <small>, "gateway": "<0>", "owner": "<1>", ' +
  '"new_owner": "<2>", "amount_to_seller": <amount>}'
const htlc =
  '{"fee": <fee>, "hash": "<hash>", "type": "<type>", "payer": "<0>", "payee": "<1>", "address": "<2>", ' +
  '"hashlock": "<secret>", "timelock": <block>, "amount": <amount>}'
const staking =
  '{"fee": <fee>, "hash": "<hash>", "type": "<type>", "address": "<0>", "owner": "<1>", "stake": 1000000000000, ' +
  '"owner_signature": "<secret><secret>"}'
const rewards =
  '{"hash": "<hash>", "type": "<type>", "end_epoch": <block>, "start_epoch": <block>, "rewards": [], ' +
  '"note": "computed \\"rewards\\", listed apart", "checksum": "<secret>"}'

/** One for each epoch, after everything else in it. */
export const rewardsKinds: readonly [early: TransactionKind, late: TransactionKind] = [
  { type: 'rewards_v1', share: [0, 0], actors: {}, fields: rewards },
  { type: 'rewards_v2', share: [0, 0], actors: {}, fields: rewards },
]

/** Has the packets of many gateways, and burns for each. */
export const stateChannelClose: TransactionKind = {
  type: 'state_channel_close_v1',
  share: [40, 40],
  actors: { sc_closer: 'router', payee: 'first', owner: 'first' },
  several: { role: 'packet_receiver', player: 'gateway', most: 10 },
  fields:
    '{"fee": 0, "hash": "<hash>", "type": "<type>", "closer": "<0>", "state_channel": {"id": "<secret>", "nonce": <small>, ' +
    '"owner": "<0>", "state": "closed", "root_hash": "<secret>", "skewed": <nanoseconds>, "clients": [<several>], ' +
    '"expire_at_block": <block>}, "conflicts_with": null}',
}

/** The transactions of both parts of the chain, but for rewards; the shares of each part add up to 1000. */
export const transactionKinds: readonly TransactionKind[] = [
  {
    type: 'poc_receipts_v1',
    share: [850, 0],
    actors: { challengee: 'gateway', challenger: 'gateway' },
    several: { role: 'witness', player: 'gateway', most: 4 },
    fields: receipts,
  },
  {
    type: 'poc_receipts_v2',
    share: [0, 850],
    actors: { challengee: 'gateway', challenger: 'validator', validator: 'second' },
    several: { role: 'witness', player: 'gateway', most: 4 },
    fields: receipts,
  },
  stateChannelClose,
  {
    type: 'state_channel_open_v1',
    share: [10, 10],
    actors: { sc_opener: 'router', payer: 'first', owner: 'first' },
    burns: ['fee'],
    fields:
      '{"fee": <fee>, "hash": "<hash>", "type": "<type>", "id": "<secret>", "oui": <digit>, "nonce": <small>, ' +
      '"owner": "<0>", "amount": <amount>, "expire_within": 260}',
  },
  {
    type: 'payment_v1',
    share: [10, 0],
    actors: { payer: 'account', payee: 'account' },
    burns: ['fee'],
    fields: payment,
  },
  {
    type: 'payment_v2',
    share: [26, 36],
    actors: { payer: 'account', payee: 'account' },
    burns: ['fee'],
    fields: payment,
  },
  {
    type: 'price_oracle_v1',
    share: [14, 14],
    actors: { oracle: 'oracle' },
    fields:
      '{"fee": 0, "hash": "<hash>", "type": "<type>", "price": <amount>, "public_key": "<0>", "block_height": <block>, ' +
      '"signature": "<secret><secret>"}',
  },
  {
    type: 'add_gateway_v1',
    share: [14, 14],
    actors: { gateway: 'gateway', owner: 'owner', payer: 'second' },
    burns: ['add_gateway', 'fee'],
    fields:
      '{"fee": <fee>, "hash": "<hash>", "type": "<type>", "owner": "<1>", "payer": "<2>", "gateway": "<0>", ' +
      '"staking_fee": 4000000, "owner_signature": "<secret><secret>"}',
  },
  {
    type: 'assert_location_v1',
    share: [14, 0],
    actors: { gateway: 'gateway', owner: 'owner', payer: 'second' },
    burns: ['assert_location', 'fee'],
    fields: location,
  },
  {
    type: 'assert_location_v2',
    share: [0, 14],
    actors: { gateway: 'gateway', owner: 'owner', payer: 'account' },
    burns: ['assert_location', 'fee'],
    fields: location,
  },
  {
    type: 'transfer_hotspot_v1',
    share: [3, 0],
    actors: { gateway: 'gateway', payee: 'owner', payer: 'account', owner: 'third' },
    burns: ['fee'],
    fields: transfer,
  },
  {
    type: 'transfer_hotspot_v2',
    share: [0, 3],
    actors: { gateway: 'gateway', payer: 'owner', owner: 'account' },
    burns: ['fee'],
    fields: transfer,
  },
  {
    type: 'consensus_group_v1',
    share: [3, 3],
    actors: {},
    several: { role: 'consensus_member', player: 'validator', most: 16 },
    fields:
      '{"hash": "<hash>", "type": "<type>", "delay": <digit>, "proof": "<secret><secret>", "height": <block>, ' +
      '"members": [<several>]}',
  },
  {
    type: 'poc_request_v1',
    share: [4, 0],
    actors: { challenger: 'gateway' },
    fields:
      '{"fee": 0, "hash": "<hash>", "type": "<type>", "version": <digit>, "block_hash": "<secret>", "challenger": "<0>", ' +
      '"secret_hash": "<secret>", "onion_key_hash": "<secret>", "challenger_owner": "<0>", "challenger_location": null}',
  },
  {
    type: 'validator_heartbeat_v1',
    share: [0, 4],
    actors: { validator: 'validator' },
    fields:
      '{"hash": "<hash>", "type": "<type>", "height": <block>, "address": "<0>", "version": 10180<digit>, ' +
      '"signature": "<secret><secret>", "poc_key_proposals": ["<secret>", "<secret>"]}',
  },
  {
    type: 'stake_validator_v1',
    share: [0, 3],
    actors: { validator: 'validator', owner: 'account' },
    burns: ['fee'],
    fields: staking,
  },
  {
    type: 'token_burn_v1',
    share: [3, 3],
    actors: { payer: 'account', payee: 'account' },
    burns: ['fee'],
    fields:
      '{"fee": <fee>, "hash": "<hash>", "type": "<type>", "memo": "für \\"data\\", ¥ <small>", "nonce": <small>, ' +
      '"payee": "<1>", "payer": "<0>", "amount": <amount>, "signature": "<secret>"}',
  },
  {
    type: 'create_htlc_v1',
    share: [4, 2],
    actors: { payer: 'account', payee: 'account', escrow: 'account' },
    burns: ['fee'],
    fields: htlc,
  },
  {
    type: 'oui_v1',
    share: [2, 1],
    actors: { owner: 'account', payer: 'first', router: 'router' },
    burns: ['oui', 'fee'],
    fields:
      '{"fee": <fee>, "hash": "<hash>", "oui": <digit>, "type": "<type>", "owner": "<0>", "payer": "<1>", ' +
      '"addresses": ["<2>"], "staking_fee": 10000000, "requested_subnet_size": 8}',
  },
  {
    type: 'routing_v1',
    share: [2, 2],
    actors: { owner: 'account', router: 'router' },
    burns: ['routing', 'fee'],
    fields:
      '{"fee": <fee>, "hash": "<hash>", "oui": <digit>, "type": "<type>", "nonce": <small>, "owner": "<0>", ' +
      '"action": {"data": "<secret><secret>", "action": "update_xor", "index": <digit>}}',
  },
  {
    type: 'vars_v1',
    share: [1, 1],
    actors: {},
    // The only kind that spans lines.
    fields:
      '{"fee": 0, "hash": "<hash>", "type": "<type>",\n "vars": {"poc_version": <digit>, "consensus_percent": 0.<small>, ' +
      '"block_size_limit": 52428800,\n  "hip17_res_12": "2,100000,100000"}, "proof": "<secret><secret>", "nonce": <small>}',
  },
]
