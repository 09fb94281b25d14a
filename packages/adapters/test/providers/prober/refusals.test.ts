import { assert, describe, it } from "@effect/vitest"
import { type Reading, readingOf } from "../../../src/providers/prober/refusals.js"
import { ReplyReader } from "../../../src/providers/prober/Reply.js"

describe("a refusal", () => {
  const read = (text: string): Reading => {
    const { replies } = new ReplyReader().push(Buffer.from(`${text.replaceAll("\n", "\r\n")}\r\n`))
    return readingOf(replies[0]!)
  }

  it("is proof where it speaks of the mailbox", () => {
    for (const text of [
      "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550 5.1.1 double-checking the recipient's email address for typos or unnecessary spaces.",
      "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
      "550 5.4.1 Recipient address rejected: Access denied. [DB5EUR03FT012.eop-EUR03.prod.protection.outlook.com]",
      "550 5.1.1 <sender-relay@blocked.test>: Recipient address rejected: User unknown in virtual mailbox table",
      "550 No such user here",
      "550 sorry, no mailbox here by that name (#5.1.1)",
      "554 delivery error: dd This user doesn't have an acme.test account (jo@acme.test) [0]",
      "550 <jo@acme.test>: unknown user",
      "550 Invalid recipient <jo@acme.test> (#5.1.1)",
      "550 5.2.1 The email account that you tried to reach is disabled.",
      "550 Unrouteable address",
      "550 5.1.1 <jo@acme.test>: Recipient address rejected: User unknown in relay recipient table"
    ]) {
      assert.strictEqual(read(text), "no_mailbox", text)
    }
  })

  it("is none where it speaks of us, or of nothing", () => {
    for (const text of [
      "550 5.7.1 Recipient unknown",
      "550 5.7.606 Access denied, banned sending IP [192.0.2.1]",
      "550 5.1.1 unknown user, or your IP is on our blacklist",
      "554 5.7.1 <jo@acme.test>: Relay access denied",
      "554 5.7.1 <jo@acme.test>: Relay access denied: not in relay recipient table",
      "550 Relaying of unknown users denied",
      "550 5.1.8 Sender address rejected: Domain not found",
      "550 Sender verify failed: no such user",
      "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages",
      "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
      "550 Mailbox unavailable",
      "554 Transaction failed",
      "501 5.1.3 Bad recipient address syntax",
      "503 5.5.1 Bad sequence: no such user",
      "252 no such user",
      "354 Go on"
    ]) {
      assert.notInclude(["accepted", "no_mailbox", "full"], read(text), text)
    }
  })
})
