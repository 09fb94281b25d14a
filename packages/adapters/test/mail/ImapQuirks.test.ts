import { assert, it } from "@effect/vitest"
import { makeImap } from "@outbound/adapters/mail/Imap.js"
import type { MailAccount } from "@outbound/domain/outreach/mail/MailTransport.js"
import { Effect, Redacted, Result } from "effect"
import { createServer, type Socket } from "node:net"

const header = (uid: number): string =>
  `From: Pat <pat${uid}@b.test>\r\nSubject: m${uid}\r\nMessage-ID: <m${uid}@b.test>\r\n\r\n`
const literal = (text: string): string => `{${text.length}}\r\n${text}`
const dated = 'RFC822.SIZE 100 INTERNALDATE "24-Nov-2026 09:00:00 +0000"'
const whole = (uid: number): string =>
  `* ${uid - 9} FETCH (UID ${uid} ${dated} BODY[HEADER]<0> ${literal(header(uid))})\r\n`
const body = (uid: number): string =>
  `* ${uid - 9} FETCH (UID ${uid} BODY[]<0> ${literal(`${header(uid)}No thanks.`)})\r\n`
const SEEN = "* 1 FETCH (UID 10 FLAGS (\\Seen))\r\n"

/** A server whose inbox holds two messages, and that answers as told when they are fetched. */
const serverThat = (fetch: (command: string) => string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const answer = (socket: Socket, line: string) => {
        const [tag = "", ...words] = line.split(" ")
        const command = words.join(" ").toUpperCase()
        const says = command.startsWith("CAPABILITY")
          ? "* CAPABILITY IMAP4rev1\r\n"
          : command.startsWith("LIST")
            ? '* LIST () "/" INBOX\r\n'
            : command.startsWith("EXAMINE")
              ? "* 2 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 12] ok\r\n"
              : command.startsWith("UID SEARCH")
                ? "* SEARCH 10 11\r\n"
                : command.startsWith("UID FETCH")
                  ? fetch(command)
                  : ""
        socket.write(`${says}${tag} OK done\r\n`)
      }
      const server = createServer((socket) => {
        let held = ""
        socket.on("error", () => socket.destroy())
        socket.write("* OK ready\r\n")
        socket.on("data", (octets) => {
          held += octets.toString("latin1")
          for (let end = held.indexOf("\r\n"); end !== -1; end = held.indexOf("\r\n")) {
            answer(socket, held.slice(0, end))
            held = held.slice(end + 2)
          }
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return server
    }),
    (server) => Effect.sync(() => server.close())
  )

const sessionWith = (fetch: (command: string) => string) =>
  Effect.gen(function* () {
    const server = yield* serverThat(fetch)
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const reached = { host: "127.0.0.1", port, security: "none" as const }
    const account: MailAccount = {
      workspaceId: "w",
      mailboxId: `m${port}`,
      address: "jo@acme.test",
      displayName: "Jo",
      smtp: reached,
      imap: reached,
      username: "jo",
      auth: "password",
      secret: Redacted.make("secret"),
      sentFolder: null,
      keepsSent: false,
      keepsMessageIds: true
    }
    return yield* (yield* makeImap()).session(account)
  })

const query = { folder: "INBOX", cursor: { folder: "INBOX", uidValidity: 7, lastUid: 9 }, sinceMillis: 0, limit: 10 }

it.live("a message is read whatever else a server says of it meanwhile, and in however many answers", () =>
  Effect.forEach(
    [
      whole(10) + whole(11),
      // Another program reads it at this moment.
      SEEN + whole(10) + whole(11),
      whole(10) + SEEN + whole(11),
      `* 1 FETCH (FLAGS (\\Seen))\r\n${whole(10)}${whole(11)}`,
      `* 1 FETCH (UID 10 ${dated})\r\n* 1 FETCH (UID 10 BODY[HEADER]<0> ${literal(header(10))})\r\n${whole(11)}`
    ],
    (said) =>
      Effect.gen(function* () {
        const session = yield* sessionWith((command) => (command.includes("BODY.PEEK[]") ? SEEN + body(10) : said))
        const { mails } = yield* session.arrivals(query)
        assert.deepStrictEqual(
          mails.map(({ fromEmail, subject }) => [fromEmail, subject]),
          [
            ["pat10@b.test", "m10"],
            ["pat11@b.test", "m11"]
          ]
        )
        assert.strictEqual((yield* session.content(mails[0]!))?.text.trim(), "No thanks.")
      }).pipe(Effect.scoped)
  )
)

it.live("a message without a header fails, so that it is fetched again and not passed over", () =>
  Effect.gen(function* () {
    const nothing = `* 1 FETCH (UID 10 ${dated} BODY[HEADER]<0> NIL)\r\n${whole(11)}`
    const session = yield* sessionWith(() => nothing)
    const read = yield* Effect.result(session.arrivals(query))
    assert.deepStrictEqual(Result.isFailure(read) ? read.failure.reason : null, "transient")
  }).pipe(Effect.scoped)
)

it.live("a message that was moved away after its header was read is known by that", () =>
  Effect.gen(function* () {
    const session = yield* sessionWith((command) => (command.includes("BODY.PEEK[]") ? "" : whole(10) + whole(11)))
    const { mails } = yield* session.arrivals(query)
    const content = yield* session.content(mails[0]!)
    assert.deepStrictEqual([content?.fromEmail, content?.text], ["pat10@b.test", ""])
  }).pipe(Effect.scoped)
)
