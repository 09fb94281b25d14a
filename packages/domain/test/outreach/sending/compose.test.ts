import { assert, describe, it } from "@effect/vitest"
import type { SequenceStep } from "../../../src/kernel/sequences/Sequence.js"
import { PLAIN_FOOTER } from "../../../src/kernel/words/notice.js"
import { compose, footer, messageIdOf, recipientName, rfcMessageId } from "../../../src/outreach/sending/compose.js"
import type { ClaimedMessage } from "../../../src/outreach/sending/SendingStore.js"
import { suspended } from "../../../src/outreach/sending/suspended.js"

const MARK = { header: "x-mark", value: "proof" }
const URL = "https://u.test/1"
const step = (subject: string | null, body: string): SequenceStep => ({ subject, body, waitDays: 2 })
const LEAD = {
  campaignLeadId: "l1",
  email: "ann@acme.test",
  firstName: "Ann",
  lastName: "Lee",
  companyName: null,
  custom: {}
}

interface Given {
  readonly sequence: ReadonlyArray<SequenceStep>
  readonly stepIndex?: number
  readonly variant?: number | null
  readonly thread?: ReadonlyArray<{ readonly messageId: string; readonly variant: number | null }>
  readonly postalAddress?: string | null
}

const composed = ({ postalAddress = "1 Road", sequence, stepIndex = 0, thread = [], variant = null }: Given) =>
  compose(
    {
      message: { workspaceId: "w1", messageId: "m9", stepIndex, variant },
      lead: LEAD,
      campaign: { campaignId: "c1", sequence },
      mailbox: { address: "sam@us.test", domain: "us.test", displayName: "Sam\nBell" },
      postalAddress,
      thread
    } as unknown as ClaimedMessage,
    PLAIN_FOOTER,
    URL,
    MARK
  )

const sent = (...ids: ReadonlyArray<string>) => ids.map((messageId) => ({ messageId, variant: null }))

describe("a message as it leaves", () => {
  it("is from the mailbox to the person, with its body, who sends it, the way out and its mark", () => {
    assert.deepStrictEqual(composed({ sequence: [step("Hi {{first_name}}", "Dear {{first_name}}, hello.")] }), {
      workspaceId: "w1",
      campaignId: "c1",
      campaignLeadId: "l1",
      stepIndex: 0,
      messageId: "m9@us.test",
      from: { address: "sam@us.test", name: "Sam Bell" },
      to: { address: "ann@acme.test", name: "Ann Lee" },
      subject: "Hi Ann",
      text: `Dear Ann, hello.\n\n--\n1 Road\nUnsubscribe: ${URL}\n`,
      references: [],
      unsubscribeUrl: URL,
      mark: MARK
    })
  })

  it("continues the thread of the last step with a subject of its own, and names its messages alone", () => {
    const sequence = [step("One", "a"), step(null, "b"), step("Two", "c"), step(null, "d"), step(null, "e")]
    const ids = ["m0", "m1", "m2", "m3"]
    const of = (stepIndex: number) => {
      const { references, subject } = composed({ sequence, stepIndex, thread: sent(...ids.slice(0, stepIndex)) })
      return [subject, references]
    }
    assert.deepStrictEqual(of(0), ["One", []])
    assert.deepStrictEqual(of(1), ["Re: One", ["m0@us.test"]])
    assert.deepStrictEqual(of(2), ["Two", []])
    assert.deepStrictEqual(of(3), ["Re: Two", ["m2@us.test"]])
    assert.deepStrictEqual(of(4), ["Re: Two", ["m2@us.test", "m3@us.test"]])
  })

  it("has the words of its own variant, in the thread of the variant that began it", () => {
    const sequence = [
      { ...step("One", "a"), otherVariants: [{ subject: "Uno", body: "aa" }] },
      { ...step(null, "b"), otherVariants: [{ subject: null, body: "bb" }] }
    ]
    const first = composed({ sequence, variant: 1 })
    assert.deepStrictEqual([first.subject, first.text.slice(0, 3)], ["Uno", "aa\n"])
    const next = composed({ sequence, stepIndex: 1, variant: 0, thread: [{ messageId: "m0", variant: 1 }] })
    assert.deepStrictEqual([next.subject, next.text.slice(0, 2)], ["Re: Uno", "b\n"])
  })

  it("has a subject that is empty where none was ever given, and no word for an address that nobody gave", () => {
    const { subject, text } = composed({ sequence: [step(null, "a"), step(null, "b")], postalAddress: null })
    assert.deepStrictEqual([subject, text], ["", `a\n\n--\n\nUnsubscribe: ${URL}\n`])
    const next = composed({ sequence: [step(null, "a"), step(null, "b")], stepIndex: 1, thread: sent("m0") })
    assert.deepStrictEqual(next.references, ["m0@us.test"])
  })

  it("says below the way out why they are written to: in full, behind a link, or not at all", () => {
    const of = (notice: string | "link" | null) => footer("1 Road", URL, { language: "en", notice })
    const start = `\n\n--\n1 Road\nUnsubscribe: ${URL}\n`
    assert.strictEqual(of(null), start)
    assert.strictEqual(of("link"), `${start}Why we write to you, and your rights: ${URL}/why\n`)
    assert.strictEqual(of("We found you."), `${start}\nWe found you.\n`)
  })

  it("names a person by what is known of their name, on one line, and otherwise by the address alone", () => {
    const name = (firstName: string | null, lastName: string | null) => recipientName({ ...LEAD, firstName, lastName })
    assert.deepStrictEqual(
      [name("Ann", null), name(null, "Lee"), name("An\nn", "Lee"), name(null, null)],
      ["Ann", "Lee", "An n Lee", null]
    )
  })
})

describe("the id of our own mail", () => {
  const id = "0190a1b2-0000-7000-8000-000000000001"

  it("is read back however a server writes it, and of nothing else", () => {
    for (const text of [id, rfcMessageId(id, "us.test"), `<${id}@us.test>`, ` <${id.toUpperCase()}@US.test> `]) {
      assert.strictEqual(messageIdOf(text), text === id ? null : id, text)
    }
    for (const other of ["", `x${id}@us.test`, `<${id}@us.test> x`, `${id}@a@b`, `<${id}@>`, "m9@us.test"]) {
      assert.isNull(messageIdOf(other), other)
    }
  })
})

it("a suspension refuses with its time and reason, one of 1970 too, and without one nothing is refused", () => {
  assert.isNull(suspended({ suspendedAtMillis: null, suspendedReason: null }))
  for (const suspendedAtMillis of [0, Date.UTC(2026, 0, 2)]) {
    const error = suspended({ suspendedAtMillis, suspendedReason: "abuse" })
    assert.strictEqual(error?.code, "agent_suspended")
    assert.deepStrictEqual(error?.details, { suspended_at: new Date(suspendedAtMillis).toISOString(), reason: "abuse" })
  }
})
