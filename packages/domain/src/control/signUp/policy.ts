import { Context } from "effect"
import { DAY_MILLIS } from "../../kernel/durations.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"

/** Who may make a workspace of their own: nobody, everybody, or who has an address in one of these domains. */
export type WhoSignsUp =
  | { readonly _tag: "Closed" }
  | { readonly _tag: "Open" }
  | { readonly _tag: "Domains"; readonly domains: ReadonlyArray<string> }

export const SIGN_UPS_PER_DAY = 100
export const SIGN_UPS_PER_NETWORK = 5

/** What the operator allows. Closed unless they say otherwise. */
export const SignUpPolicy = Context.Reference("@outbound/domain/control/signUp/policy/SignUpPolicy", {
  defaultValue: (): {
    readonly who: WhoSignsUp
    /** Workspaces per day (UTC) in all, and of those who asked from one network. */
    readonly perDayMax: number
    readonly perNetworkMax: number
    /** The kind of a new workspace. */
    readonly kind: WorkspaceKind
  } => ({ who: { _tag: "Closed" }, perDayMax: SIGN_UPS_PER_DAY, perNetworkMax: SIGN_UPS_PER_NETWORK, kind: "sandbox" })
})

/** What is known under the lock that every grant takes. */
export interface SignUpFacts {
  readonly personHasOne: boolean
  /** Grants since the day began: in all, and of the same network. */
  readonly today: number
  readonly ofNetworkToday: number
}

/** Why no workspace is made. The last two are over tomorrow. */
export type SignUpRefusal = "person" | "day" | "network"

export const decideSignUp = (
  { ofNetworkToday, personHasOne, today }: SignUpFacts,
  { perDayMax, perNetworkMax }: { readonly perDayMax: number; readonly perNetworkMax: number }
): "grant" | SignUpRefusal =>
  personHasOne ? "person" : today >= perDayMax ? "day" : ofNetworkToday >= perNetworkMax ? "network" : "grant"

export const takesDomain = (who: WhoSignsUp, domain: string): boolean =>
  who._tag === "Open" || (who._tag === "Domains" && who.domains.includes(domain))

/** When the day (UTC) began. */
export const dayFrom = (nowMillis: number): number => Math.floor(nowMillis / DAY_MILLIS) * DAY_MILLIS
