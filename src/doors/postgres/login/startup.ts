import { type SecureContext, TLSSocket } from 'node:tls'
import { Fields } from '../wire/fields.ts'
import type { Frame } from '../wire/frames.ts'
import { refuse, refuseMessage } from '../wire/postgres-error.ts'
import { reply } from '../wire/replies.ts'
import { SocketChannel } from '../wire/socket-channel.ts'

/** The first message of a connection. */
export type Startup =
  | { readonly kind: 'session'; readonly channel: SocketChannel; readonly options: StartupOptions }
  | { readonly kind: 'cancel'; readonly id: number; readonly secret: number }

type StartupOptions = ReadonlyMap<string, string>

const SSL = 80_877_103
const GSS = 80_877_104
const CANCEL = 80_877_102
const VERSION = 3

/** Reads the first messages of a connection, and encrypts it on demand. Undefined if it ends. Errors: 08P01, 0A000. */
export async function readStartup(
  channel: SocketChannel,
  context: SecureContext | undefined,
  stallMs: number,
): Promise<Startup | undefined> {
  for (let requests = 0; requests < 3; requests += 1) {
    const frame = await channel.receive()
    if (frame === undefined) return undefined
    const code = new Fields(frame.body).int32()
    if (code === SSL && context !== undefined && !(channel.socket instanceof TLSSocket))
      return await readStartup(encrypted(channel, context, stallMs), context, stallMs)
    if (code === SSL || code === GSS) {
      channel.send(Buffer.from('N'))
      await channel.flush()
    } else if (code === CANCEL) return { kind: 'cancel', ...cancelIn(frame) }
    else return { kind: 'session', channel, options: optionsIn(frame, channel) }
  }
  return refuseMessage('The connection asks for encryption again and again.')
}

/** Bytes sent in the clear before the handshake must not count as encrypted ones. */
function encrypted(channel: SocketChannel, secureContext: SecureContext, stallMs: number): SocketChannel {
  if (channel.frames.size > 0) refuseMessage('Data arrived before the encryption began.')
  const { socket } = channel
  socket.removeAllListeners('data')
  socket.pause()
  socket.write('S')
  const secured = new TLSSocket(socket, { isServer: true, secureContext })
  return new SocketChannel(secured, stallMs)
}

function cancelIn({ body }: Frame): { id: number; secret: number } {
  const fields = new Fields(body)
  fields.int32()
  const cancel = { id: fields.int32(), secret: fields.int32() }
  fields.end()
  return cancel
}

function optionsIn({ body }: Frame, channel: SocketChannel): StartupOptions {
  const fields = new Fields(body)
  const version = fields.uint32()
  if (version >>> 16 !== VERSION)
    refuse('0A000', `This server speaks version 3 of the protocol, not ${version >>> 16}.`, { isFatal: true })
  const options = new Map<string, string>()
  for (let name = fields.text(); name !== ''; name = fields.text()) options.set(name, fields.text())
  fields.end()
  if (!options.get('user')) refuse('28000', 'The startup message names no user.', { isFatal: true })
  if (
    options.get('replication') !== undefined &&
    !/^(false|off|no|0)$/i.test(options.get('replication') ?? '')
  )
    refuse('0A000', 'This server has no replication.', { isFatal: true })
  const unknown = [...options.keys()].filter((name) => name.startsWith('_pq_.'))
  if ((version & 0xffff) > 0 || unknown.length > 0) channel.send(reply.protocolVersion(unknown))
  return options
}
