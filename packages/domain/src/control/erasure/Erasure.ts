import { Context, type Effect } from "effect"
import type { ControlRefused } from "../Control.js"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"

/** What an erasure took out. What had been taken out before does not count again. */
export interface ErasureReport {
  readonly erasureId: string
  /** Whether there was anything of this person. */
  readonly known: boolean
  readonly leads: number
  readonly replies: number
  /** Answers of ours to the person. */
  readonly answers: number
  /** Mail of theirs that was about to be read. */
  readonly waiting: number
  /** Calls whose remembered outcome named them. */
  readonly outcomes: number
  /** Contacts that were kept for repeats. */
  readonly contacts: number
  /** What sources were still asked for, or had answered after the call. */
  readonly late: number
  /** People of the workspace's own directory. */
  readonly directory: number
  /** Approvals, replies and leads of others in whose words their address stood. */
  readonly mentions: number
  /** Whether the trail knew their address. */
  readonly trail: boolean
  /** Whether they are never written to again: an erasure does not change that. */
  readonly suppressed: boolean
}

/**
 * Takes a person's data out of a workspace, for good: out of campaigns, replies, answers, the inbox, remembered outcomes,
 * approvals, the cache and the directory. What happened stays in the trail without their address, and who said no stays suppressed.
 * It may break off anywhere: the same again goes on where it was, and one that has finished finds nothing.
 */
export class Erasure extends Context.Tag("@outbound/domain/control/erasure/Erasure")<
  Erasure,
  {
    /** For an owner who has signed in just now. */
    readonly erase: (
      by: SignedIn,
      email: string
    ) => Effect.Effect<ErasureReport, ControlRefused | AnyWireError | StoreUnavailable>
    /** For the operator. `not_found`: there is no such workspace. */
    readonly eraseFor: (
      workspaceId: string,
      email: string
    ) => Effect.Effect<ErasureReport, AnyWireError | StoreUnavailable>
  }
>() {}
