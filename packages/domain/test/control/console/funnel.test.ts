import { assert, describe, it } from "@effect/vitest"
import type { StepCounts } from "../../../src/control/console/ConsoleReads.js"
import { countsOf, funnelOf } from "../../../src/control/console/funnel.js"

const step = (given: Partial<StepCounts> & Pick<StepCounts, "stepIndex">): StepCounts => ({
  variant: null,
  sent: 0,
  claimed: 0,
  failed: 0,
  unknown: 0,
  replied: 0,
  interested: 0,
  meetings: 0,
  bounced: 0,
  unsubscribed: 0,
  ...given
})

const mailbox = (sent: number) => ({
  mailboxId: `mailbox ${sent}`,
  address: "a@x.test",
  state: "active" as const,
  sent
})

describe("how far people of a campaign got", () => {
  const view = {
    leads: { ready: 10, active: 5, replied: 4, bounced: 2, unsubscribed: 1 },
    mailboxes: [mailbox(9), mailbox(5)],
    steps: [
      step({ stepIndex: 0, variant: 0, sent: 6, unknown: 1, replied: 1, interested: 1, bounced: 2 }),
      step({ stepIndex: 0, variant: 1, sent: 4, claimed: 1, failed: 3, replied: 2, unsubscribed: 1 }),
      step({ stepIndex: 1, sent: 4, replied: 1, interested: 1, meetings: 1 })
    ]
  }

  it("the campaign's numbers are those that the verbs report, and each event is in one line", () => {
    const { campaign, steps } = funnelOf(view)
    const { leads, ...counts } = countsOf(view)
    assert.deepInclude(campaign, { ...counts, people: leads })
    assert.deepInclude(campaign, { people: 22, sent: 14, replied: 4, bounced: 2, unsubscribed: 1 })
    for (const what of ["sent", "delivered", "replied", "interested", "meetings", "bounced", "unsubscribed"] as const) {
      assert.strictEqual(
        steps.reduce((sum, line) => sum + line[what], 0),
        campaign[what],
        what
      )
    }
  })

  it("a message that may have left counts its person, one that failed does not", () => {
    assert.deepStrictEqual(
      funnelOf(view).steps.map(({ delivered, people, variant }) => ({ delivered, people, variant })),
      [
        { delivered: 4, people: 7, variant: 0 },
        { delivered: 4, people: 5, variant: 1 },
        { delivered: 4, people: 4, variant: null }
      ]
    )
  })

  it("what no message tells of has no line", () => {
    const { steps } = funnelOf({ ...view, steps: [...view.steps, step({ stepIndex: 2, failed: 2 })] })
    assert.lengthOf(steps, 3)
  })

  it("everybody who was sent the first message was written to, once, and reached unless it bounced", () => {
    assert.deepInclude(funnelOf(view), { writtenTo: 10, reached: 8 })
  })

  it("an address that bounced at a message that never left takes no number below zero", () => {
    const { campaign, reached } = funnelOf({ leads: { bounced: 1 }, mailboxes: [], steps: [] })
    assert.deepInclude(campaign, { people: 1, sent: 0, delivered: 0, bounced: 1 })
    assert.strictEqual(reached, 0)
  })
})
