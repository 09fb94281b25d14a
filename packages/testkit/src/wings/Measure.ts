/** What a receiver did with a letter; null: the sender may not write there now. */
export type Placed = "inbox" | "junk" | "refused" | null

/** A mailbox that may write. */
export interface Writer {
  readonly mailboxId: string
  readonly domain: string
}

/** What measures in the simulation of receivers, beside what the service learns of its own mail. */
export interface Measure {
  /** Sends what is planned now. `rest`: after what came of it a domain's mailboxes leave a receiver alone. */
  readonly send: <W extends Writer>(
    senders: ReadonlyArray<W>,
    nowMillis: number,
    place: (sender: W, receiver: number) => Placed,
    rest: (sender: W, receiver: number) => void
  ) => void
}
