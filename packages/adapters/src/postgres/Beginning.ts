import pg from "pg"

/** The statement that begins a transaction. Each connection prepares it once. */
export const BEGIN = { name: "outbound_begin", text: "BEGIN" } as const

/** The parts of a driver's connection that speak the extended query protocol. */
interface Wire {
  readonly parsedStatements: Readonly<Record<string, string>>
  bind(portal: { readonly statement: string }): void
  execute(portal: Record<string, never>): void
}

/** What a query of the driver does with its connection. */
interface DriverQuery extends pg.Submittable {
  prepare(wire: Wire): void
  handleCommandComplete(message: unknown, wire: Wire): void
}

const DriverQuery = pg.Query as unknown as new (config: pg.QueryConfig) => DriverQuery

/**
 * Whether BEGIN can travel with the statement. One without values may be several in one text, which the server takes only
 * in a message of another kind.
 */
export const canTravel = (client: pg.Client, { values }: pg.QueryConfig): boolean =>
  values !== undefined &&
  values.length > 0 &&
  (client as unknown as { readonly connection: Wire }).connection.parsedStatements[BEGIN.name] !== undefined

/**
 * BEGIN and the first statement of a transaction, before one end of messages: where BEGIN fails, the server leaves the
 * statement out. Sent one behind the other, each with an end of its own, the statement would run outside a transaction.
 */
export class Beginning extends DriverQuery {
  #isSent = false
  #hasBegun = false

  /** Whether an error is that of BEGIN. The statement's own comes later, or before anything was sent: a value has no text. */
  get isRefused(): boolean {
    return this.#isSent && !this.#hasBegun
  }

  override prepare(wire: Wire): void {
    wire.bind({ statement: BEGIN.name })
    wire.execute({})
    super.prepare(wire)
    this.#isSent = true
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#hasBegun) super.handleCommandComplete(message, wire)
    this.#hasBegun = true
  }
}

/** The end of a statement: its error, or its result. */
export type Answered = (error: Error | null | undefined, result?: pg.QueryResult) => void

/** Runs one statement on a connection. */
export type Send = (config: pg.QueryConfig, answered: Answered) => void

/** A transaction whose BEGIN waits for its first statement. Without any, there is nothing to begin and to end. */
export class BeginningLater {
  #isDue = false

  constructor(private readonly client: { readonly query: Send; readonly begin: Send }) {}

  /** Whether this statement that begins or ends the transaction need not be sent. */
  spares(control: string): boolean {
    const isEnd = control === "COMMIT" || control === "ROLLBACK"
    if (control !== BEGIN.text && !(isEnd && this.#isDue)) return false
    this.#isDue = !isEnd
    return true
  }

  readonly send: Send = (config, answered) => {
    const isFirst = this.#isDue
    this.#isDue = false
    if (isFirst) this.client.begin(config, answered)
    else this.client.query(config, answered)
  }
}
