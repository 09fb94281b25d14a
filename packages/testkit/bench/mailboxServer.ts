/**
 * The mail server of the bench of many mailboxes, in a process of its own: SMTP and IMAP in the clear on the loopback. It
 * says what it sees, and on request answers messages that it took, as their recipients would.
 */
import { makeMailServer } from "@outbound/sandbox/mail/MailServer.js"
import { Effect } from "effect"
import { createInterface } from "node:readline"

const [, , count = "1000", domainSize = "5", password = ""] = process.argv

export const addressOf = (index: number, size: number): string => `box-${index}@own-${Math.floor(index / size)}.test`

const run = Effect.gen(function* () {
  const server = yield* makeMailServer({ remembers: false })
  for (let index = 0; index < Number(count); index += 1) {
    server.addMailbox(addressOf(index, Number(domainSize)), password)
  }
  console.log(JSON.stringify({ port: server.imap.port, smtpPort: server.smtpPort }))
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
    server.imap.mailboxes.get(taken.from.toLowerCase())?.inbox.add(Buffer.from(lines.join("\r\n")), at)
    console.log(JSON.stringify({ answered: taken.to, atMillis: at.getTime() }))
  }
  createInterface(process.stdin).on("line", (line) => {
    const asked = JSON.parse(line) as { readonly answers?: number; readonly everyMillis?: number }
    if (asked.answers === undefined) {
      return console.log(JSON.stringify({ connections: server.imap.connections(), taken: server.taken.length }))
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
  process.on("SIGTERM", () => process.exit(0))
  void Effect.runPromise(Effect.scoped(run))
}
