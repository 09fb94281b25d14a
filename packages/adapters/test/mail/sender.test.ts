import { assert, describe, it } from "@effect/vitest"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { readHead } from "@outbound/adapters/mail/received.js"

const senderOf = async (...fields: ReadonlyArray<string>): Promise<string | null> => {
  const { fromEmail } = await readHead(Buffer.from(`${fields.join("\r\n")}\r\nSubject: x\r\n\r\n`))
  return fromEmail === null ? null : usableEmail(fromEmail)
}

describe("who wrote a message", () => {
  it.each<[string, ReadonlyArray<string>, string | null]>([
    ["as the standard has it", ["From: Ann Lee <ann@b.test>"], "ann@b.test"],
    ["in an address with quotation marks", ['From: Ann <"ann"@b.test>'], "ann@b.test"],
    ["after an empty address", ['From: "Buyer " <>, "LTD" <ann@b.test>'], "ann@b.test"],
    ["in a group", ["From: Team: ann@b.test, bob@b.test;"], "ann@b.test"],
    ["as the first of several", ["From: ann@b.test, bob@b.test"], "ann@b.test"],
    ["beside a name that is another address", ['From: "other@c.test" <ann@b.test>'], "ann@b.test"],
    ["in a remark", ["From: Ann (ann@b.test)"], "ann@b.test"],
    ["in square brackets", ["From: Ann [mailto:ann@b.test]"], "ann@b.test"],
    ["with a bracket that nothing closes", ["From: Ann <ann@b.test"], "ann@b.test"],
    ["wholly in an encoded word", [`From: =?utf-8?B?${btoa("Ann Lee <ann@b.test>")}?=`], "ann@b.test"],
    ["as an encoded address alone", ["From: =?utf-8?Q?ann=40b.test?="], "ann@b.test"],
    ["as an encoded address in brackets", ["From: <=?utf-8?Q?ann=40b.test?=>"], "ann@b.test"],
    ["in Sender, if From has no address", ["From: ", "Sender: ann@b.test", "Reply-To: bob@b.test"], "ann@b.test"],
    ["in Reply-To, if Sender has none either", ["From: Ann Lee", "Reply-To: Ann <ann@b.test>"], "ann@b.test"],
    [
      "in Return-Path, if nothing else names one",
      ["From: undisclosed-recipients:;", "Return-Path: <ann@b.test>"],
      "ann@b.test"
    ],
    ["not in Reply-To, if From has one", ["Reply-To: desk@b.test", "From: ann@b.test"], "ann@b.test"],
    ["nowhere", ["From: MAILER-DAEMON"], null]
  ])("is found %s", async (_, fields, email) => {
    assert.strictEqual(await senderOf(...fields), email)
  })
})
