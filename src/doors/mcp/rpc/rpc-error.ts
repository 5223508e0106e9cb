/** Error codes. Source: JSON-RPC 2.0, section 5.1; `transport` is the code of MCP servers. */
export const rpcCodes = {
  unreadable: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  transport: -32000,
} as const

/** A JSON-RPC error. `id` is null if it cannot be read. */
export interface RpcError {
  readonly jsonrpc: '2.0'
  readonly id: string | number | null
  readonly error: { readonly code: number; readonly message: string }
}

export function rpcError(
  reason: keyof typeof rpcCodes,
  message: string,
  id: RpcError['id'] = null,
): RpcError {
  return { jsonrpc: '2.0', id, error: { code: rpcCodes[reason], message } }
}
