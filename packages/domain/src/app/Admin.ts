import { Context } from "effect"
import type { AnyWireError } from "../kernel/errors/Wire.js"
import type { Capability, Scope } from "../verbs/Policy.js"
import type { Credits } from "../kernel/money/Credits.js"
import type { FromStore } from "../kernel/ports/UnitOfWork.js"
import type { Retention, WorkspaceKind, WorkspaceSummary } from "../kernel/workspaces/WorkspaceStore.js"

/** Credits that a workspace is created with unless said otherwise (contract: credits, money). */
export const SIGNUP_CREDITS = "300"

/** The most workspaces that a list names. */
export const WORKSPACES_LISTED_MAX = 1_000

/** A month is sealed 35 days after its end, so that a shorter time would keep no less. */
export const CALL_MONTHS_MIN = 2
/** An event names its person for so long (contract: trail, retention). */
export const TRAIL_MONTHS_MIN = 24
export const MONTHS_MAX = 1_200

type Answer<A> = FromStore<A, AnyWireError>

/** What the operator's program can do. It has the rights of anyone who can read the database, and approves nothing. */
export class Admin extends Context.Tag("@outbound/domain/app/Admin")<
  Admin,
  {
    readonly createWorkspace: (workspace: {
      readonly name: string
      readonly ownerEmail: string
      readonly kind: WorkspaceKind
      readonly credits: Credits
      /** Null: a sandbox workspace starts with a sample one, a live one with none. */
      readonly postalAddress: string | null
    }) => Answer<{ readonly workspaceId: string }>
    /** Oldest first, at most `WORKSPACES_LISTED_MAX`. */
    readonly listWorkspaces: Answer<ReadonlyArray<WorkspaceSummary>>
    /** For how long its calls and its trail stay in the database. Null: what the archiving command says; 0 for ever. */
    readonly setRetention: (workspaceId: string, retention: Retention) => Answer<Retention>
    readonly createKey: (key: {
      readonly workspaceId: string
      readonly name: string
      /** Empty: the default ones. */
      readonly scopes: ReadonlyArray<Scope>
      readonly monthlySpendCap: Credits | null
      readonly autonomousExternalActions: boolean
    }) => Answer<{ readonly keyId: string; readonly apiKey: string }>
    readonly grantCredits: (workspaceId: string, amount: Credits) => Answer<{ readonly available: Credits }>
    readonly changeKeyState: (keyId: string, event: "pause" | "resume" | "revoke") => Answer<{ readonly state: string }>
    readonly setKey: (
      keyId: string,
      settings: {
        readonly ratePerMinute?: number
        readonly capabilities?: ReadonlyArray<{ readonly name: Capability; readonly on: boolean }>
        readonly premiumAllowance?: Credits
        readonly runRequired?: boolean
      }
    ) => Answer<void>
    readonly createRun: (run: {
      readonly workspaceId: string
      readonly name: string
      readonly budget: Credits
      readonly expiresInMillis: number
    }) => Answer<{ readonly runId: string }>
  }
>() {}
