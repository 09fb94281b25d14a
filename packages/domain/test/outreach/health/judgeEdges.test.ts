import { assert, it } from "@effect/vitest"
import { sandboxLook } from "../../../src/outreach/authentication/sandboxLook.js"
import type { CheckStatus, Finding } from "../../../src/outreach/authentication/Look.js"
import type { ReceiverCounts, ReceiverRow } from "../../../src/outreach/health/HealthReads.js"
import { domainState } from "../../../src/outreach/health/judgeDomain.js"
import {
  OTHER_RECEIVERS,
  type Received,
  receiversOf,
  receiverState
} from "../../../src/outreach/health/judgeReceivers.js"
import type { HealthState, Measured } from "../../../src/outreach/health/Measurements.js"

const NOW = Date.UTC(2027, 0, 4)
const LIMITS = { refusalsMin: 5, receiverRefusalsPercent: 50 }
const NONE: ReceiverCounts = { sent: 0, bounced: 0, refused: 0, complained: 0, replied: 0 }

const stateOf = (counts: Partial<ReceiverCounts>, limits: Partial<typeof LIMITS> = {}) =>
  receiverState({ ...NONE, ...counts }, false, { ...LIMITS, ...limits })

it("an organisation refuses a domain from so many refusals on that are more than the share, and no fewer", () => {
  assert.strictEqual(stateOf({ sent: 1, refused: 5 }), "bad")
  assert.strictEqual(stateOf({ refused: 4 }), "watch")
  assert.strictEqual(stateOf({ sent: 5, refused: 5 }), "watch")
  assert.strictEqual(stateOf({ sent: 4, refused: 5 }), "bad")
  assert.strictEqual(stateOf({ sent: 1, refused: 1 }), "unknown")
  // A workspace can't set the least below one.
  assert.strictEqual(stateOf({ sent: 1 }, { refusalsMin: 0, receiverRefusalsPercent: -1 }), "unknown")
  assert.strictEqual(stateOf({ refused: 1 }, { refusalsMin: 0, receiverRefusalsPercent: 0 }), "bad")
})

it("a share says something bad only of enough messages, and only where it is exceeded", () => {
  assert.strictEqual(stateOf({ sent: 19, bounced: 19 }), "unknown")
  assert.strictEqual(stateOf({ sent: 20, bounced: 1 }), "bad")
  assert.strictEqual(stateOf({ sent: 19, complained: 19 }), "watch")
  assert.strictEqual(stateOf({ sent: 1_000, complained: 3 }), "watch")
  assert.strictEqual(stateOf({ sent: 1_000, complained: 4 }), "bad")
  assert.strictEqual(stateOf({ sent: 1_000, bounced: 30 }), "watch")
  assert.strictEqual(stateOf({ sent: 1_000, bounced: 31 }), "bad")
  // Of what nobody was sent lately there is no share.
  assert.strictEqual(stateOf({ complained: 1 }), "unknown")
})

it("a domain is watched for how one receiver sees it or where its mail can't come in, and good only if all is proven", () => {
  const look = sandboxLook("w", "acme.test", NOW)
  const withMx = (status: CheckStatus) => {
    const mx: Finding = { ...look.findings.mx, status }
    return domainState({ look: { ...look, findings: { ...look.findings, mx } }, listedOn: [], receivers: [] }, NOW)
  }
  assert.deepStrictEqual((["pass", "missing", "fail", "unknown"] as const).map(withMx), [
    "good",
    "watch",
    "watch",
    "good"
  ])
  const seen = (...states: ReadonlyArray<HealthState>) =>
    domainState({ look: null, listedOn: [], receivers: states.map((state) => ({ state })) }, NOW)
  assert.deepStrictEqual(
    [seen("watch"), seen("good", "watch"), seen("good", "bad"), seen("good", "unknown"), seen()],
    ["watch", "watch", "watch", "unknown", "unknown"]
  )
})

const row = (given: Partial<ReceiverRow>): ReceiverRow => ({
  ...NONE,
  domain: "acme.test",
  receiver: null,
  mailDomain: "",
  ...given
})
const rest = (receiver: string, restsUntilMillis: number, domain = "acme.test") => ({
  domain,
  mailbox: `a@${domain}`,
  receiver,
  times: 1,
  status: "5.7.1",
  says: "",
  restsUntilMillis
})
const measure = (organisation: string, state: HealthState, atMillis = NOW, domain = "acme.test"): Measured => ({
  domain,
  organisation,
  by: "m",
  state,
  says: "s",
  atMillis,
  placement: null,
  advice: null
})

const found = (received: Partial<Received>) =>
  receiversOf("acme.test", { rows: [], rests: [], known: new Map(), measured: [], ...received }, LIMITS, NOW)

it("what came of messages is summed at the organisation that the host found, then one that was named, then the domain's own", () => {
  const known = new Map([["b.test", "mx-b.test"]])
  const of = (given: Partial<ReceiverRow>) => found({ rows: [row({ sent: 1, ...given })], known })[0]?.organisation
  assert.strictEqual(of({ receiver: "mx-a.test", mailDomain: "b.test" }), "mx-a.test")
  assert.strictEqual(of({ mailDomain: "b.test" }), "mx-b.test")
  assert.strictEqual(of({ mailDomain: "mail.c.co.uk" }), "c.co.uk")
  assert.strictEqual(of({ mailDomain: "co.uk" }), "co.uk")
  assert.strictEqual(of({}), OTHER_RECEIVERS)
  const counts = { sent: 7, bounced: 1, refused: 2, complained: 3, replied: 4 }
  const twice = found({ rows: [row({ receiver: "m", ...counts }), row({ receiver: "m", ...counts })] })
  assert.deepInclude(twice[0], { sent: 14, bounced: 2, refused: 4, complained: 6, replied: 8 })
  assert.lengthOf(found({ rows: [row({ domain: "other.test", receiver: "m", sent: 1 })] }), 0)
})

it("the longest rest of the domain's own mailboxes counts, until it is over", () => {
  const rows = [row({ receiver: "m", sent: 30 })]
  const at = (...rests: ReadonlyArray<ReturnType<typeof rest>>) => {
    const { restingUntilMillis, state } = found({ rows, rests })[0]!
    return [restingUntilMillis, state]
  }
  assert.deepStrictEqual(at(rest("m", NOW + 2), rest("m", NOW + 1)), [NOW + 2, "bad"])
  assert.deepStrictEqual(at(rest("m", NOW)), [null, "good"])
  assert.deepStrictEqual(at(rest("m", NOW + 2, "other.test")), [null, "good"])
  assert.deepStrictEqual(found({ rows, rests: [rest("m", NOW + 1)] })[0]?.sent, 30)
})

it("a measure is shown with the newest first, makes what counts prove no better, and is the domain's alone", () => {
  const rows = [row({ receiver: "m", sent: 30, bounced: 30 })]
  const measured = [measure("m", "good", 1), measure("m", "unknown", 2), measure("n", "watch"), measure("o", "unknown")]
  const all = found({ rows, measured: [...measured, measure("p", "bad", NOW, "other.test")] })
  assert.deepStrictEqual(
    all.map(({ measured: there, organisation, sent, state }) => [
      organisation,
      sent,
      state,
      there.map(({ atMillis }) => atMillis)
    ]),
    [
      ["m", 30, "bad", [2, 1]],
      ["n", 0, "watch", [NOW]],
      ["o", 0, "unknown", [NOW]]
    ]
  )
  assert.strictEqual(
    found({ rows: [row({ receiver: "m", sent: 1 })], measured: [measure("m", "good")] })[0]?.state,
    "good"
  )
})

it("organisations come by what was tried there, those of the same by name, and what rests or was measured comes first", () => {
  const rows = [
    row({ receiver: "small", sent: 1 }),
    row({ receiver: "b", sent: 4, refused: 1 }),
    row({ receiver: "a", sent: 2, refused: 3 }),
    row({ sent: 500 }),
    row({ receiver: "large", sent: 90 })
  ]
  const names = (received: Partial<Received>) => found({ rows, ...received }).map(({ organisation }) => organisation)
  assert.deepStrictEqual(names({}), ["large", "a", "b", "small", OTHER_RECEIVERS])
  assert.deepStrictEqual(names({ rests: [rest("small", NOW + 1)] }), ["small", "large", "a", "b", OTHER_RECEIVERS])
  assert.deepStrictEqual(names({ measured: [measure("b", "good")] }), ["b", "large", "a", "small", OTHER_RECEIVERS])
})

it("beyond fifty organisations the smallest are one line with what has no organisation, and it is there only for them", () => {
  const many = Array.from({ length: 51 }, (_, index) => row({ receiver: `r${index}`, sent: 10 + index, replied: 1 }))
  const all = found({ rows: [...many, row({ sent: 3, replied: 1 })] })
  assert.lengthOf(all, 51)
  assert.deepInclude(all.at(-1), { organisation: OTHER_RECEIVERS, sent: 13, replied: 2 })
  assert.notInclude(
    found({ rows: many.slice(0, 50) }).map(({ organisation }) => organisation),
    OTHER_RECEIVERS
  )
})
