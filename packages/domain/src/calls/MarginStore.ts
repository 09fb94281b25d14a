import { Context } from "effect"
import type { Credits } from "../kernel/money/Credits.js"
import type { FromStore } from "../kernel/ports/UnitOfWork.js"
import type { VendorCost } from "../sources/VendorCost.js"

/** The calls of one verb, and their charges and costs. */
export interface VerbMargin {
  readonly verb: string
  /** Calls that ended in the period, dry runs excluded. */
  readonly calls: number
  readonly charged: Credits
}

/** One vendor's part in the calls of one verb. */
export interface VendorMargin extends VerbMargin, VendorCost {}

/** Jobs of a source that may have been started and paid for, with unknown outcome. */
export interface UnknownJobs {
  readonly source: string
  readonly jobs: number
}

/** What calls of live workspaces cost at vendors, for the operator. */
export class MarginStore extends Context.Service<
  MarginStore,
  {
    /** Of all workspaces or of one, sorted by verb and vendor. A call that several vendors served counts for each. */
    readonly margins: (of: { readonly sinceMillis: number; readonly workspaceId: string | null }) => FromStore<{
      readonly verbs: ReadonlyArray<VerbMargin>
      readonly vendors: ReadonlyArray<VendorMargin>
      /** Grouped by source. Only jobs that we still remember. */
      readonly unknownJobs: ReadonlyArray<UnknownJobs>
    }>
  }
>()("@outbound/domain/calls/MarginStore") {}
