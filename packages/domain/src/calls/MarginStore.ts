import { Context, type Effect } from "effect"
import type { Credits } from "../kernel/money/Credits.js"
import type { StoreUnavailable } from "../kernel/ports/UnitOfWork.js"

/** What the calls of one verb came to. */
export interface VerbMargin {
  readonly verb: string
  /** Those that ended in the time, and were no dry runs. */
  readonly calls: number
  readonly charged: Credits
}

/** What one vendor had to do with the calls of one verb. */
export interface VendorMargin extends VerbMargin {
  readonly vendor: string
  readonly unit: string
  /** In the vendor's unit. */
  readonly amount: number
  /** In micro-dollars, at the prices that were configured then. */
  readonly micros: number
}

/** Jobs of a source that may have been started, and paid for, without anybody learning what became of them. */
export interface UnknownJobs {
  readonly source: string
  readonly jobs: number
}

/** What calls of live workspaces cost at vendors, for the operator. */
export class MarginStore extends Context.Tag("@outbound/domain/calls/MarginStore")<
  MarginStore,
  {
    /** Of all workspaces, or of one; verbs and vendors by their names. A call that several vendors served counts for each. */
    readonly margins: (of: { readonly sinceMillis: number; readonly workspaceId: string | null }) => Effect.Effect<
      {
        readonly verbs: ReadonlyArray<VerbMargin>
        readonly vendors: ReadonlyArray<VendorMargin>
        /** By the names of their sources; those that are still remembered. */
        readonly unknownJobs: ReadonlyArray<UnknownJobs>
      },
      StoreUnavailable
    >
  }
>() {}
