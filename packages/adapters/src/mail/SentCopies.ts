import type { MailAccount } from "@outbound/domain/outreach/mail/MailTransport.js"
import { Effect, FiberSet, type Scope } from "effect"
import { COMMAND_MILLIS, command, connect } from "./ImapConnection.js"
import type { MailTls } from "./mailTls.js"

/** How long one copy may take, and the end of a session waits for those under way. */
const COPY_TIMEOUT = "30 seconds"

export interface SentCopies {
  /** Puts a message that was sent into the folder of sent mail, beside what comes next; where that fails, it is said. */
  readonly keep: (raw: Buffer) => Effect.Effect<void>
}

/**
 * Copies of what is sent, for servers that keep none. A copy is made once the message is known to have been accepted,
 * so that one that is found proves that it was.
 */
export const sentCopies = (account: MailAccount, tls: MailTls): Effect.Effect<SentCopies, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { keepsSent, sentFolder } = account
    if (keepsSent || sentFolder === null) return { keep: () => Effect.void }
    const turn = yield* Effect.makeSemaphore(1)
    const underWay = yield* FiberSet.make<void>()
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(FiberSet.awaitEmpty(underWay), COPY_TIMEOUT)))

    const copy = (raw: Buffer) =>
      Effect.flatMap(connect(account, tls.ca === null ? {} : { ca: tls.ca }), (client) =>
        command(client, "append", COMMAND_MILLIS, () => client.append(sentFolder, raw, ["\\Seen"]))
      ).pipe(Effect.scoped, turn.withPermits(1), Effect.timeout(COPY_TIMEOUT))

    return {
      keep: (raw: Buffer) =>
        FiberSet.run(
          underWay,
          Effect.catchAllCause(copy(raw), (cause) =>
            Effect.logWarning("a message that was sent could not be put into its mailbox's folder of sent mail", cause)
          )
        ).pipe(Effect.asVoid)
    }
  })
