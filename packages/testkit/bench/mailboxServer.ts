/**
 * The mail server of the bench of many mailboxes, in a process of its own: SMTP and IMAP in the clear on the loopback. It
 * says what it sees, and on request answers messages that it took, as their recipients would.
 */
import { makeMailServer } from "@outbound/sandbox/mail/MailServer.js"
import { Effect, Fiber } from "effect"
import { createInterface } from "node:readline"
import { type ManyMailboxes, makeDovecot } from "./mailboxDovecot.js"

const [, , count = "1000", domainSize = "5", password = ""] = process.argv

export const addressOf = (index: number, size: number): string => `box-${index}@own-${Math.floor(index / size)}.test`

const run = Effect.gen(function* () {
  const server = yield* makeMailServer({ remembers: false })
  const addresses = Array.from({ length: Number(count) }, (_, index) => addressOf(index, Number(domainSize)))
  for (const address of addresses) server.addMailbox(address, password)
  const own: ManyMailboxes = {
    port: server.imap.port,
    connections: server.imap.connections,
    deliver: (address, raw) => void server.imap.mailboxes.get(address)?.inbox.add(raw, new Date())
  }
  const imap = process.env["BENCH_IMAP"] === "dovecot" ? yield* makeDovecot(addresses, password) : own
  console.log(JSON.stringify({ port: imap.port, smtpPort: server.smtpPort }))
  let answered = 0
  const answer = () => {
    const taken = server.taken[answered]
    if (taken === undefined) return
    answered += 1
    const id = /^message-id: *(\S+)/im.exec(taken.raw.toString("latin1"))?.[1] ?? ""
    const at = new Date()
    const lines = [
      `From: <${taken.to}>`,
      `To: <${taken.from}>`,
      "Subject: Re: Hello",
      `Message-ID: <answer-${answered}@people.test>`,
      `In-Reply-To: ${id}`,
      `References: ${id}`,
      `Date: ${at.toUTCString()}`,
      "",
      "No, thank you. Please do not write to me again.",
      ""
    ]
    imap.deliver(taken.from.toLowerCase(), Buffer.from(lines.join("\r\n")))
    console.log(JSON.stringify({ answered: taken.to, atMillis: at.getTime() }))
  }
  createInterface(process.stdin).on("line", (line) => {
    const asked = JSON.parse(line) as { readonly answers?: number; readonly everyMillis?: number }
    if (asked.answers === undefined) {
      return console.log(JSON.stringify({ connections: imap.connections(), taken: server.taken.length }))
    }
    let left = asked.answers
    const timer = setInterval(() => {
      answer()
      left -= 1
      if (left <= 0) clearInterval(timer)
    }, asked.everyMillis)
  })
  return yield* Effect.never
})

if (process.argv[1]?.endsWith("mailboxServer.js") === true) {
  const fiber = Effect.runFork(Effect.tapCause(Effect.scoped(run), (cause) => Effect.sync(() => console.error(cause))))
  process.on("SIGTERM", () => void Effect.runPromise(Fiber.interrupt(fiber)).finally(() => process.exit(0)))
}
