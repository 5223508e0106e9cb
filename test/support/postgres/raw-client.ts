import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A message of a server, cut by hand from its bytes. */
export interface Message {
  readonly type: string
  readonly body: Buffer
}

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const int16 = (value: number) => int32(value).subarray(2)
const cstring = (text: string) => Buffer.from(`${text}\0`)

function message(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  return Buffer.concat([Buffer.from(type), int32(length), ...parts])
}

/** Messages of clients, written down from the chapter "Message Formats". */
export const send = {
  startup: (options: Readonly<Record<string, string>>, version = 196_608) =>
    message('', int32(version), ...Object.entries(options).flat().map(cstring), Buffer.alloc(1)),
  ssl: () => message('', int32(80_877_103)),
  cancel: (id: number, secret: number) => message('', int32(80_877_102), int32(id), int32(secret)),
  query: (text: string) => message('Q', cstring(text)),
  parse: (name: string, text: string, oids: readonly number[] = []) =>
    message('P', cstring(name), cstring(text), int16(oids.length), ...oids.map(int32)),
  bind: (
    portal: string,
    statement: string,
    values: readonly (string | Buffer | null)[] = [],
    { formats = [] as readonly number[], results = [] as readonly number[] } = {},
  ) =>
    message(
      'B',
      ...[cstring(portal), cstring(statement), int16(formats.length), ...formats.map(int16)],
      int16(values.length),
      ...values.flatMap((value) =>
        value === null ? [int32(-1)] : [int32(Buffer.from(value).length), Buffer.from(value)],
      ),
      ...[int16(results.length), ...results.map(int16)],
    ),
  describe: (what: 'S' | 'P', name = '') => message('D', Buffer.from(what), cstring(name)),
  execute: (portal = '', rows = 0) => message('E', cstring(portal), int32(rows)),
  close: (what: 'S' | 'P', name = '') => message('C', Buffer.from(what), cstring(name)),
  sync: () => message('S'),
  terminate: () => message('X'),
}

/** Values of a DataRow. */
export function rowIn({ body }: Message): readonly (Buffer | null)[] {
  let at = 2
  return Array.from({ length: body.readInt16BE(0) }, () => {
    const length = body.readInt32BE(at)
    at += 4 + Math.max(0, length)
    return length < 0 ? null : body.subarray(at - length, at)
  })
}

/** Fields of an ErrorResponse by their letter. */
export function errorIn({ body }: Message): Readonly<Record<string, string>> {
  const fields = body.toString().split('\0').filter(Boolean)
  return Object.fromEntries(fields.map((field) => [field.charAt(0), field.slice(1)]))
}

/** A connection that sends and shows single messages. */
export class RawClient {
  readonly socket: Socket
  #bytes = Buffer.alloc(0)
  readonly #messages: Message[] = []
  #wake = () => {}
  isClosed = false

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      while (this.#bytes.length >= 5 && this.#bytes.length > this.#bytes.readInt32BE(1)) {
        const end = 1 + this.#bytes.readInt32BE(1)
        this.#messages.push({
          type: this.#bytes.toString('latin1', 0, 1),
          body: this.#bytes.subarray(5, end),
        })
        this.#bytes = this.#bytes.subarray(end)
      }
      this.#wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.isClosed = true
      this.#wake()
    })
  }

  static async open(port: number): Promise<RawClient> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new RawClient(socket)
  }

  write(...messages: readonly Buffer[]): void {
    this.socket.write(Buffer.concat(messages))
  }

  /** The next message; undefined once the server has closed the connection. */
  async next(): Promise<Message | undefined> {
    while (this.#messages.length === 0 && !this.isClosed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    return this.#messages.shift()
  }

  /** Messages up to one of a type, or to the end. */
  async until(type: string): Promise<readonly Message[]> {
    const all: Message[] = []
    for (let one = await this.next(); one !== undefined; one = await this.next()) {
      all.push(one)
      if (one.type === type) return all
    }
    return all
  }

  /** Logs in without a password. */
  async start(options: Readonly<Record<string, string>> = { user: 'a' }): Promise<readonly Message[]> {
    this.write(send.startup(options))
    return await this.until('Z')
  }

  /** Sends messages and returns all up to ReadyForQuery. */
  async ask(...messages: readonly Buffer[]): Promise<readonly Message[]> {
    this.write(...messages)
    return await this.until('Z')
  }

  /** Rows of a simple query as texts. */
  async rows(text: string): Promise<readonly (readonly (string | null)[])[]> {
    const messages = await this.ask(send.query(text))
    const error = messages.find(({ type }) => type === 'E')
    if (error !== undefined) throw new Error(JSON.stringify(errorIn(error)))
    return messages
      .filter(({ type }) => type === 'D')
      .map((row) => rowIn(row).map((value) => value?.toString() ?? null))
  }

  /** SQLSTATE of a simple query that fails. */
  async stateOf(text: string): Promise<string | undefined> {
    const error = (await this.ask(send.query(text))).find(({ type }) => type === 'E')
    return error && errorIn(error).C
  }
}
