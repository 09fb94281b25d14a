/** How far the people of a campaign got. The one definition of each number, for pages and verbs. Pure. */
import type { CampaignView, StepCounts } from "./ConsoleReads.js"

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, one) => total + one, 0)

/** People, messages that left, and people who replied, bounced or unsubscribed: by the state they are in. */
export const countsOf = ({ leads, mailboxes }: Pick<CampaignView, "leads" | "mailboxes">) => ({
  leads: sum(Object.values(leads)),
  sent: sum(mailboxes.map((mailbox) => mailbox.sent)),
  replied: leads.replied ?? 0,
  bounced: leads.bounced ?? 0,
  unsubscribed: leads.unsubscribed ?? 0
})

/** A line of the funnel: of one message, or of the whole campaign. */
export interface FunnelLine {
  /** Of a message: those whom it left for, or may have. Of the campaign: all. */
  readonly people: number
  readonly sent: number
  /** Messages that left and did not bounce. */
  readonly delivered: number
  readonly replied: number
  readonly interested: number
  readonly meetings: number
  readonly bounced: number
  readonly unsubscribed: number
}

export interface StepLine extends FunnelLine {
  readonly stepIndex: number
  /** Null: the step has one wording. */
  readonly variant: number | null
}

export interface Funnel {
  readonly campaign: FunnelLine
  /** People who were sent the first message. */
  readonly writtenTo: number
  /** Of them, those whose address did not bounce. */
  readonly reached: number
  /** By step and variant. */
  readonly steps: ReadonlyArray<StepLine>
}

/** An address may bounce at a message that never counted as sent. */
const without = (sent: number, bounced: number): number => Math.max(0, sent - bounced)

const lineOf = ({ claimed, failed: _, unknown, ...step }: StepCounts): StepLine => ({
  ...step,
  people: step.sent + claimed + unknown,
  delivered: without(step.sent, step.bounced)
})

/** Who was sent a message that is not kept has a line of nothing but zeros. */
const saysSomething = ({ interested, people, replied, bounced, unsubscribed }: StepLine): boolean =>
  people + replied + interested + bounced + unsubscribed > 0

export const funnelOf = (view: Pick<CampaignView, "leads" | "mailboxes" | "steps">): Funnel => {
  const steps = view.steps.map(lineOf).filter(saysSomething)
  const { leads, ...counts } = countsOf(view)
  const total = (what: "interested" | "meetings") => sum(steps.map((step) => step[what]))
  const writtenTo = sum(steps.filter(({ stepIndex }) => stepIndex === 0).map(({ sent }) => sent))
  return {
    campaign: {
      ...counts,
      people: leads,
      delivered: without(counts.sent, counts.bounced),
      interested: total("interested"),
      meetings: total("meetings")
    },
    writtenTo,
    reached: without(writtenTo, counts.bounced),
    steps
  }
}
