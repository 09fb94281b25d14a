import { Context } from "effect"
import type { Classification } from "../meaning/Classification.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"

/** A reply by one of the sandbox's people, stored from the moment their message was accepted until it has been read. */
export interface SandboxLetter {
  readonly workspaceId: string
  /** The `Message-ID` of our message, without angle brackets. At most one letter per message. */
  readonly messageId: string
  /** The mailbox that it goes to. */
  readonly toAddress: string
  /** The intent of its writer. */
  readonly persona: Classification
  /** The letter in wire format (RFC 5322), ASCII only. */
  readonly raw: string
  /** When it arrives, epoch milliseconds. */
  readonly dueAtMillis: number
}

/**
 * Letters of the sandbox's people in transit. They outlive the host that accepted the message: any host may deliver
 * one, and the inbox drops duplicates.
 */
export class SandboxLetters extends Context.Service<
  SandboxLetters,
  {
    /** A second letter for the same message is ignored. */
    readonly put: (letter: SandboxLetter) => FromStore<void>
    /** Claims due letters for a time, earliest first. */
    readonly take: (options: {
      readonly nowMillis: number
      readonly limit: number
      readonly holdMillis: number
    }) => FromStore<ReadonlyArray<SandboxLetter>>
    /** Removes letters that have been read. */
    readonly done: (letters: ReadonlyArray<Pick<SandboxLetter, "workspaceId" | "messageId">>) => FromStore<void>
  }
>()("@outbound/domain/outreach/mail/SandboxLetters") {}
