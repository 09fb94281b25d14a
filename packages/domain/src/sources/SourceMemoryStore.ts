import { Context, type Option } from "effect"
import type { FromStore, InTx } from "../kernel/ports/UnitOfWork.js"

/** Where a company's openings stand: on a board, on its own pages, or nowhere. */
export const OPENINGS_PLACES = ["board", "pages", "none"] as const

/** What proved that a board is the company's. */
export const BOARD_PROOFS = ["address", "board_name", "postings"] as const
export type BoardProof = (typeof BOARD_PROOFS)[number]

export type OpeningsPlace =
  | {
      readonly kind: "board"
      readonly system: string
      readonly board: string
      readonly provenBy: BoardProof
      /** The company's own page that leads to it. */
      readonly foundOn: string
    }
  | { readonly kind: "pages" }
  | { readonly kind: "none" }

/** What was learnt of a company, and for how long it counts. */
export interface LearntPlace {
  readonly companyDomain: string
  readonly place: OpeningsPlace
  readonly learntAtMillis: number
  readonly keptUntilMillis: number
}

/** What one lookup of a source came to. */
export interface SourceOutcome {
  readonly source: string
  readonly isFound: boolean
  readonly tookMillis: number
}

/** What lookups of a source came to. */
export interface SourceOutcomes {
  readonly asked: number
  readonly found: number
  readonly tookMillis: number
}

/** Outcomes older than this no longer count. */
export const OUTCOMES_KEPT_DAYS = 30

/** The most rows past their time that a write removes. */
export const LAPSED_PER_WRITE_MAX = 20

/**
 * What sources learnt by asking, shared by all hosts and all workspaces: facts about companies that these publish, and
 * counts. No person is here. It saves work and orders sources; it decides nothing.
 */
export class SourceMemoryStore extends Context.Service<
  SourceMemoryStore,
  {
    /** None: nothing is known, or its time is over. */
    readonly place: (companyDomain: string, nowMillis: number) => FromStore<Option.Option<LearntPlace>>
    /** Replaces what was known of the company, and removes some of what is past its time. */
    readonly putPlace: (learnt: LearntPlace) => InTx<void>
    /** Of the last days. */
    readonly outcomes: (source: string, nowMillis: number) => FromStore<SourceOutcomes>
    /** Counts one more, forgets the days that no longer count, and returns the rest. */
    readonly addOutcome: (outcome: SourceOutcome, nowMillis: number) => InTx<SourceOutcomes>
  }
>()("@outbound/domain/sources/SourceMemoryStore") {}
