import { assert, describe, it } from "@effect/vitest"
import type { Recipient } from "@outbound/domain/kernel/sequences/Sequence.js"
import { replySubject } from "@outbound/domain/kernel/sequences/replySubject.js"
import { mergedMessage } from "@outbound/domain/outreach/sending/compose.js"

describe("the subject of an answer", () => {
  for (const before of [
    "",
    "Re: ",
    "RE: ",
    "re:",
    "Re: Re: ",
    "RE : ",
    "Re[2]: ",
    "Re(3): ",
    "Re^2: ",
    "Re*2: ",
    "AW: ",
    "Antw: ",
    "Antwort: ",
    "SV: ",
    "VS: ",
    "Odp: ",
    "RES: ",
    "RIF: ",
    "R: ",
    "YNT: ",
    "Vá: ",
    "回复：",
    "回覆: ",
    "答复: ",
    "返信: ",
    "Ответ: ",
    "Απ: ",
    "AW: RE: Re[4]: ",
    "Resp: ",
    "Svar: ",
    "Rép : ",
    "Reply: ",
    "ΣΧΕΤ: ",
    "תגובה: ",
    "پاسخ: ",
    "Trả lời: ",
    "返: ",
    "\u200bRe: ",
    "Re: \u200eRe: "
  ]) {
    it(`has one Re: where the other one has ${JSON.stringify(before)}`, () => {
      assert.strictEqual(replySubject(`${before}A question`), "Re: A question")
    })
  }

  it("leaves words that only begin alike, and forwards", () => {
    for (const subject of [
      "Reference: 12",
      "Result: ok",
      "Fwd: A question",
      "WG: A question",
      "Regarding: x",
      "Svea: hi"
    ]) {
      assert.strictEqual(replySubject(subject), `Re: ${subject}`)
    }
    assert.strictEqual(replySubject("Re: [EXT] Re: A question"), "Re: [EXT] A question")
    assert.strictEqual(replySubject("[External] [EXT] RE: A question"), "Re: [External] [EXT] A question")
    assert.strictEqual(replySubject("*** SPAM *** Re: A question"), "Re: *** SPAM *** A question")
    assert.strictEqual(replySubject("Re: FW: RE: A question"), "Re: FW: A question")
    assert.strictEqual(replySubject("WG: AW: A question"), "Re: WG: A question")
    assert.strictEqual(replySubject("Re:"), "Re:")
  })

  it("a follow-up continues a thread that its writer named Re:", () => {
    const person: Recipient = { email: "a@x.test", firstName: "Ann", lastName: null, companyName: null, custom: {} }
    const sequence = [
      { subject: "Re: your note, {{first_name}}", body: "x", waitDays: 0 },
      { subject: null, body: "y", waitDays: 1 }
    ]
    assert.strictEqual(mergedMessage(sequence, 0, person).subject, "Re: your note, Ann")
    assert.strictEqual(mergedMessage(sequence, 1, person).subject, "Re: your note, Ann")
  })
})
