/** Player of a role: a drawn actor, the owner of the first player, or the first, second or third player again. */
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
  /** Frequency per thousand transactions, before and after validators do the challenges. */
  readonly share: readonly [early: number, late: number]
  /** Players by role, in the order of the archive. */
  readonly actors: Readonly<Record<string, Player>>
  /** A role shared by several neighbours. */
  readonly several?: {
    readonly role: string
    readonly player: 'gateway' | 'validator'
    readonly most: number
  }
  /** Burns paid by the second player or, if there is only one, by the first. */
  readonly burns?: readonly BurnType[]
  /**
   * JSON as in the archive. `<0>` is the address of the first player, `<several>` are those of `several`; `fields.ts`
   * explains the other words in angle brackets.
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

const kind = (
  type: string,
  share: TransactionKind['share'],
  actors: TransactionKind['actors'],
  fields: string,
  more: Pick<TransactionKind, 'burns' | 'several'> = {},
): TransactionKind => ({ type, share, actors, fields, ...more })

/** Rewards transactions; each epoch ends with one. */
export const rewardsKinds: readonly [early: TransactionKind, late: TransactionKind] = [
  kind('rewards_v1', [0, 0], {}, rewards),
  kind('rewards_v2', [0, 0], {}, rewards),
]

/** Closes a state channel, with the packets of many gateways and burns for some. */
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

/** Transactions of both parts of the chain except rewards; the shares of each part sum to 1000. */
export const transactionKinds: readonly TransactionKind[] = [
  kind('poc_receipts_v1', [850, 0], { challengee: 'gateway', challenger: 'gateway' }, receipts, {
    several: { role: 'witness', player: 'gateway', most: 4 },
  }),
  kind(
    'poc_receipts_v2',
    [0, 850],
    { challengee: 'gateway', challenger: 'validator', validator: 'second' },
    receipts,
    { several: { role: 'witness', player: 'gateway', most: 4 } },
  ),
  stateChannelClose,
  kind(
    'state_channel_open_v1',
    [10, 10],
    { sc_opener: 'router', payer: 'first', owner: 'first' },
    '{"fee": <fee>, "hash": "<hash>", "type": "<type>", "id": "<secret>", "oui": <digit>, "nonce": <small>, ' +
      '"owner": "<0>", "amount": <amount>, "expire_within": 260}',
    { burns: ['fee'] },
  ),
  kind('payment_v1', [10, 0], { payer: 'account', payee: 'account' }, payment, { burns: ['fee'] }),
  kind('payment_v2', [26, 36], { payer: 'account', payee: 'account' }, payment, { burns: ['fee'] }),
  kind(
    'price_oracle_v1',
    [14, 14],
    { oracle: 'oracle' },
    '{"fee": 0, "hash": "<hash>", "type": "<type>", "price": <amount>, "public_key": "<0>", "block_height": <block>, ' +
      '"signature": "<secret><secret>"}',
  ),
  kind(
    'add_gateway_v1',
    [14, 14],
    { gateway: 'gateway', owner: 'owner', payer: 'second' },
    '{"fee": <fee>, "hash": "<hash>", "type": "<type>", "owner": "<1>", "payer": "<2>", "gateway": "<0>", ' +
      '"staking_fee": 4000000, "owner_signature": "<secret><secret>"}',
    { burns: ['add_gateway', 'fee'] },
  ),
  kind('assert_location_v1', [14, 0], { gateway: 'gateway', owner: 'owner', payer: 'second' }, location, {
    burns: ['assert_location', 'fee'],
  }),
  kind('assert_location_v2', [0, 14], { gateway: 'gateway', owner: 'owner', payer: 'account' }, location, {
    burns: ['assert_location', 'fee'],
  }),
  kind(
    'transfer_hotspot_v1',
    [3, 0],
    { gateway: 'gateway', payee: 'owner', payer: 'account', owner: 'third' },
    transfer,
    { burns: ['fee'] },
  ),
  kind('transfer_hotspot_v2', [0, 3], { gateway: 'gateway', payer: 'owner', owner: 'account' }, transfer, {
    burns: ['fee'],
  }),
  kind(
    'consensus_group_v1',
    [3, 3],
    {},
    '{"hash": "<hash>", "type": "<type>", "delay": <digit>, "proof": "<secret><secret>", "height": <block>, ' +
      '"members": [<several>]}',
    { several: { role: 'consensus_member', player: 'validator', most: 16 } },
  ),
  kind(
    'poc_request_v1',
    [4, 0],
    { challenger: 'gateway' },
    '{"fee": 0, "hash": "<hash>", "type": "<type>", "version": <digit>, "block_hash": "<secret>", "challenger": "<0>", ' +
      '"secret_hash": "<secret>", "onion_key_hash": "<secret>", "challenger_owner": "<0>", "challenger_location": null}',
  ),
  kind(
    'validator_heartbeat_v1',
    [0, 4],
    { validator: 'validator' },
    '{"hash": "<hash>", "type": "<type>", "height": <block>, "address": "<0>", "version": 10180<digit>, ' +
      '"signature": "<secret><secret>", "poc_key_proposals": ["<secret>", "<secret>"]}',
  ),
  kind('stake_validator_v1', [0, 3], { validator: 'validator', owner: 'account' }, staking, {
    burns: ['fee'],
  }),
  kind(
    'token_burn_v1',
    [3, 3],
    { payer: 'account', payee: 'account' },
    '{"fee": <fee>, "hash": "<hash>", "type": "<type>", "memo": "für \\"data\\", ¥ <small>", "nonce": <small>, ' +
      '"payee": "<1>", "payer": "<0>", "amount": <amount>, "signature": "<secret>"}',
    { burns: ['fee'] },
  ),
  kind('create_htlc_v1', [4, 2], { payer: 'account', payee: 'account', escrow: 'account' }, htlc, {
    burns: ['fee'],
  }),
  kind(
    'oui_v1',
    [2, 1],
    { owner: 'account', payer: 'first', router: 'router' },
    '{"fee": <fee>, "hash": "<hash>", "oui": <digit>, "type": "<type>", "owner": "<0>", "payer": "<1>", ' +
      '"addresses": ["<2>"], "staking_fee": 10000000, "requested_subnet_size": 8}',
    { burns: ['oui', 'fee'] },
  ),
  kind(
    'routing_v1',
    [2, 2],
    { owner: 'account', router: 'router' },
    '{"fee": <fee>, "hash": "<hash>", "oui": <digit>, "type": "<type>", "nonce": <small>, "owner": "<0>", ' +
      '"action": {"data": "<secret><secret>", "action": "update_xor", "index": <digit>}}',
    { burns: ['routing', 'fee'] },
  ),
  // The only kind that spans lines.
  kind(
    'vars_v1',
    [1, 1],
    {},
    '{"fee": 0, "hash": "<hash>", "type": "<type>",\n "vars": {"poc_version": <digit>, "consensus_percent": 0.<small>, ' +
      '"block_size_limit": 52428800,\n  "hip17_res_12": "2,100000,100000"}, "proof": "<secret><secret>", "nonce": <small>}',
  ),
]
