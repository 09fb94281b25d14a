import { Context } from "effect"
import type { ControlRefused } from "../Control.js"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"

/** What an erasure removed. Excludes what an earlier erasure removed. */
export interface ErasureReport {
  readonly erasureId: string
  /** Whether we had any data about this person. */
  readonly known: boolean
  readonly leads: number
  readonly replies: number
  /** Our replies to the person. */
  readonly answers: number
  /** Their mail that waited in the inbox. */
  readonly waiting: number
  /** Calls whose stored outcome named them. */
  readonly outcomes: number
  /** Contacts kept for repeated calls. */
  readonly contacts: number
  /** Lookups at sources that were pending, or finished after the call. */
  readonly late: number
  /** Rows of the workspace's own directory. */
  readonly directory: number
  /** Approvals, replies and leads of other people whose text contained the address. */
  readonly mentions: number
  /** Whether the trail knew their address. */
  readonly trail: boolean
  /** Whether they are suppressed. An erasure does not change this. */
  readonly suppressed: boolean
}

/**
 * Permanently removes a person's data from a workspace: campaigns, replies, answers, the inbox, stored outcomes,
 * approvals, the cache and the directory. The trail keeps its events without the address; suppressions stay. An erasure
 * that was interrupted continues when it is repeated; repeating a finished one finds nothing.
 */
export class Erasure extends Context.Tag("@outbound/domain/control/erasure/Erasure")<
  Erasure,
  {
    /** For owners, after a fresh sign-in. */
    readonly erase: (by: SignedIn, email: string) => FromStore<ErasureReport, ControlRefused | AnyWireError>
    /** For the operator. `not_found`: no such workspace. */
    readonly eraseFor: (workspaceId: string, email: string) => FromStore<ErasureReport, AnyWireError>
  }
>() {}
