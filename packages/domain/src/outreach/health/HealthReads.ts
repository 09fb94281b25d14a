import { Context } from "effect"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"

/** What became of messages from a domain's mailboxes to one place. */
export interface ReceiverCounts {
  readonly sent: number
  /** Of those, to addresses that proved not to exist. */
  readonly bounced: number
  /** Messages whose sender the receiver refused by policy. */
  readonly refused: number
  readonly complained: number
  /** Messages that their person answered next. */
  readonly replied: number
}

/** Counts as they are stored, by where the message was handed in or, if that is not known, the address's own domain. */
export interface ReceiverRow extends ReceiverCounts {
  /** Of the mailboxes that sent. */
  readonly domain: string
  /** The organisation that the host found when it handed the message in; null: not known. */
  readonly receiver: string | null
  /** The domain of the addresses; "" of people who were erased, and if `receiver` is known. */
  readonly mailDomain: string
}

/** A mailbox of the domain leaves an organisation alone. */
export interface RestRow {
  readonly domain: string
  readonly mailbox: string
  readonly receiver: string
  readonly restsUntilMillis: number
  /** How often in succession it rested. */
  readonly times: number
  readonly status: string
  /** Third-party text. */
  readonly says: string
}

/** A blocklist that lists a domain that an owner added, or its own servers. */
export interface ListedRow {
  readonly domain: string
  readonly zone: string
}

/** Most rows of counts and of rests that are read at once; the largest first. */
export const RECEIVER_ROWS_MAX = 20_000
export const REST_ROWS_MAX = 2_000

/** What the stores know of how a workspace's mail was received. */
export class HealthReads extends Context.Service<
  HealthReads,
  {
    /** Of messages claimed since then, the most frequent first. */
    readonly receivers: (workspaceId: string, sinceMillis: number) => FromStore<ReadonlyArray<ReceiverRow>>
    /** Rests that end after then, the newest first. */
    readonly rests: (workspaceId: string, afterMillis: number) => FromStore<ReadonlyArray<RestRow>>
    /** By domain and list, each once. */
    readonly listed: (workspaceId: string) => FromStore<ReadonlyArray<ListedRow>>
  }
>()("@outbound/domain/outreach/health/HealthReads") {}
