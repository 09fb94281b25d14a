import { Context, type Effect } from "effect"
import type { Classification } from "../replies/ReplyStore.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"

/** What one of the sandbox's people writes back, from when their message was accepted until it has been read. */
export interface SandboxLetter {
  readonly workspaceId: string
  /** The `Message-ID` of ours that it reacts to, without angle brackets. A message has one letter at most. */
  readonly messageId: string
  /** The mailbox that it arrives in. */
  readonly toAddress: string
  /** What its writer means by it. */
  readonly persona: Classification
  /** The letter as it goes over the wire (RFC 5322), ASCII alone. */
  readonly raw: string
  /** When it arrives, epoch milliseconds. */
  readonly dueAtMillis: number
}

/**
 * The letters of the sandbox's people that are on their way. They outlive the host that accepted what they react to:
 * whichever host takes one delivers it, and the inbox knows it should another do so again.
 */
export class SandboxLetters extends Context.Tag("@outbound/domain/outreach/mail/SandboxLetters")<
  SandboxLetters,
  {
    /** Another letter for the same message is none. */
    readonly put: (letter: SandboxLetter) => Effect.Effect<void, StoreUnavailable>
    /** Takes letters that are due for so long, earliest first: no other host gets them meanwhile. */
    readonly take: (options: {
      readonly nowMillis: number
      readonly limit: number
      readonly holdMillis: number
    }) => Effect.Effect<ReadonlyArray<SandboxLetter>, StoreUnavailable>
    /** They have been read. */
    readonly done: (
      letters: ReadonlyArray<Pick<SandboxLetter, "workspaceId" | "messageId">>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>() {}
