/** The parts of node-postgres that tests use. */
declare module 'pg' {
  export interface Field {
    readonly name: string
    readonly dataTypeID: number
    readonly dataTypeModifier: number
  }
  export interface Result {
    readonly rows: readonly Readonly<Record<string, unknown>>[]
    readonly fields: readonly Field[]
    readonly rowCount: number | null
    readonly command: string
  }
  export class Client {
    constructor(options: Readonly<Record<string, unknown>>)
    connect(): Promise<void>
    query(text: string | Readonly<Record<string, unknown>>, values?: readonly unknown[]): Promise<Result>
    end(): Promise<void>
    on(event: 'error' | 'notice', listener: (error: Error) => void): this
    readonly processID: number | null
  }
  const pg: { readonly Client: typeof Client }
  export default pg
}
