import { makeImap } from "@outbound/adapters/mail/Imap.js"
import { MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import type { MailAccount } from "@outbound/domain/outreach/mail/MailTransport.js"
import { makeImapServer } from "@outbound/sandbox/mail/ImapServer.js"
import { PostOffice, rawLetter } from "@outbound/testkit/mail/PostOffice.js"
import { Clock, Context, Effect, Layer, Redacted } from "effect"

const PASSWORD = "as the server knows it"

/** Where nobody listens. */
const NO_PORT = 1

/** A real server of the wire, read by the real reader, whatever server the stored account names. */
export const layer: Layer.Layer<PostOffice | MailReader> = Layer.effectContext(
  Effect.gen(function* () {
    const server = yield* makeImapServer()
    // Their hour does not pass in virtual time; the suite of connections holds that they are counted.
    const imap = yield* makeImap({ logins: { take: () => Effect.void } })
    const failures = new Map<string, Array<"transient" | "account">>()
    const boxOf = (address: string) =>
      server.mailboxes.get(address.toLowerCase()) ?? server.addMailbox(address, PASSWORD)

    const reached = (account: MailAccount): MailAccount => {
      const { user } = boxOf(account.address)
      const failure = failures.get(account.address)?.shift()
      const secret = Redacted.make(failure === "account" ? "another" : PASSWORD)
      const port = failure === "transient" ? NO_PORT : server.port
      return { ...account, username: user, secret, imap: { host: "127.0.0.1", port, security: "none" } }
    }

    const reader = MailReader.of({
      session: (account) => Effect.suspend(() => imap.session(reached(account))),
      findInSent: (account, messageId) => Effect.suspend(() => imap.findInSent(reached(account), messageId))
    })
    const office = PostOffice.of({
      deliver: (address, letter, folder = "inbox") =>
        Effect.map(Clock.currentTimeMillis, (nowMillis) => {
          const box = boxOf(address)
          const into = folder === "inbox" ? box.inbox : box.folder("Unerwünscht")
          into?.add(rawLetter(letter), new Date(letter.arrivedAtMillis ?? nowMillis))
        }),
      changeUidValidity: (address) =>
        Effect.sync(() => {
          for (const folder of boxOf(address).folders.values()) folder.changeUidValidity(1_000)
        }),
      failNext: (address, reason, times) =>
        Effect.andThen(
          Effect.sync(
            () =>
              void failures.set(
                address,
                Array.from({ length: times }, () => reason)
              )
          ),
          server.drop
        ),
      stall: (_address, isSo) => Effect.sync(() => void (server.faults.stallsOn = isSo ? "EXAMINE" : null)),
      loseContents: (isSo) => Effect.sync(() => void (server.faults.dropsOnContents = isSo)),
      loseWith: (subject) =>
        Effect.sync(() => void (server.faults.dropsOnText = subject === null ? null : `Subject: ${subject}\r\n`))
    })
    return Context.make(PostOffice, office).pipe(Context.add(MailReader, reader))
  })
)
