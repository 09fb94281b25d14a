import { allows } from "@outbound/domain/kernel/machine.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { decideSend, type SendDecision, type SendFacts } from "@outbound/domain/outreach/sending/sendRule.js"
import { type Config, isSuspended, next, type Steps, withHost, withPerson } from "./protocol.js"
import { has, type Host, IDLE, type Person, type State } from "./State.js"

/** The facts of the model, for the rule that the service decides with. */
const factsOf = (state: State, person: Person, { bounds, fault }: Config): SendFacts | null => {
  if (person.lead === "absent") return null
  const mailbox = state.mailboxes[person.mailbox - 1] ?? "absent"
  return {
    nowMillis: 0,
    lead: { state: person.lead, stepsSent: person.stepsSent, nextAtMillis: 0 },
    steps: bounds.steps,
    approval: state.approvals[person.coveredBy - 1]?.state ?? null,
    campaign: state.campaign,
    window: null,
    isSuspended: isSuspended(state) && fault !== "kill_stops_nothing",
    isBound: has(state.bound, person.mailbox - 1),
    mailbox: mailbox === "absent" ? null : { state: mailbox, restsUntilMillis: null },
    messages: person.message === "none" ? [] : [{ state: person.message, stepIndex: person.stepsSent }],
    elsewhere: [],
    bars: {
      sources: person.isSuppressed && fault !== "suppression_is_forgotten" ? ["unsubscribe"] : [],
      isContacted: false,
      keptOut: null
    },
    isCrmUnread: false,
    overlap: "refuse",
    company: null,
    hasWritten: false,
    left: { workspace: 1, mailbox: 1, domain: null, receiver: null }
  }
}

export const decisionOf = (state: State, person: Person, config: Config): SendDecision | null => {
  const facts = factsOf(state, person, config)
  return facts === null ? null : decideSend(facts)
}

const lead = (person: Person, event: (typeof LeadMachine.events)[number]): Person["lead"] =>
  person.lead === "absent" ? "absent" : next(LeadMachine, person.lead, event)

/** The step was sent: the next is due. */
const accepted = (person: Person): Partial<Person> => ({
  lead: lead(person, "send"),
  stepsSent: person.stepsSent + 1,
  message: "none",
  failures: 0,
  isClaimOld: false,
  delivered: 0
})

/** What is recorded about a message, as the message's machine allows. Late records of one that is lost still count. */
const recorded = (state: State, of: number, { outcome }: Host, config: Config): State => {
  const person = state.people[of] as Person
  if (person.message === "none") return state
  switch (outcome) {
    case "accepted":
      return allows(MessageMachine, person.message, "accept") ? withPerson(state, of, accepted(person)) : state
    case "refused": {
      if (!allows(MessageMachine, person.message, "reject")) return state
      const failures = person.failures + 1
      return withPerson(state, of, {
        message: next(MessageMachine, person.message, "reject"),
        isClaimOld: false,
        failures,
        lead: failures > config.bounds.failuresMax ? lead(person, "fail") : person.lead
      })
    }
    default:
      return withPerson(state, of, lost(person, config))
  }
}

/** We can't tell whether it was sent: a person decides, and it is never sent again. */
const lost = (person: Person, { fault }: Config): Partial<Person> => {
  if (person.message === "none") return {}
  if (fault === "unknown_counts_as_unsent") return { message: "failed", isClaimOld: false }
  return { message: next(MessageMachine, person.message, "lose"), isClaimOld: false, lead: lead(person, "fail") }
}

const left = (person: Person): Partial<Person> => ({ delivered: person.delivered + 1 })

/** What hosts do with messages: claim under a lock, hand over, record. Each may be the last thing that they do. */
export const sendingSteps: Steps = (state, config, tell) => {
  state.hosts.forEach((one, host) => {
    if (one.phase === "idle") {
      state.people.forEach((person, of) => {
        if (decisionOf(state, person, config)?.may !== "send") return
        const claimed = withPerson(state, of, { message: MessageMachine.initial, isClaimOld: false })
        tell({ name: "claim", host, of }, withHost(claimed, host, { ...IDLE, phase: "claimed", of }))
      })
      return
    }
    const { of } = one
    if (one.phase === "claimed") {
      const person = state.people[of] as Person
      const isGood = person.message === "claimed" && !person.isClaimOld
      const handed = (outcome: Host["outcome"], hasLeft: boolean) =>
        tell(
          { name: "hand_over", host, of, outcome, left: hasLeft },
          withHost(hasLeft ? withPerson(state, of, left(person)) : state, host, { ...one, phase: "handed", outcome })
        )
      if (isGood || config.fault === "old_claim_is_handed_over") {
        handed("accepted", true)
        handed("refused", false)
        handed("unclear", true)
        handed("unclear", false)
      }
      tell({ name: "crash", host }, withHost(state, host, IDLE))
    }
    if (one.phase === "handed") {
      tell({ name: "record", host, of, outcome: one.outcome }, withHost(recorded(state, of, one, config), host, IDLE))
      tell({ name: "crash", host }, withHost(state, host, IDLE))
    }
  })
}

/** What sweeps and people outside do to leads. */
export const leadSteps: Steps = (state, config, tell) => {
  state.people.forEach((person, of) => {
    if (person.message === "claimed") {
      if (!person.isClaimOld) tell({ name: "claim_ages", of }, withPerson(state, of, { isClaimOld: true }))
      else tell({ name: "claim_lost", of }, withPerson(state, of, lost(person, config)))
    }
    // A look-up in the sent mail proves that it left.
    if (person.message === "unknown" && person.delivered > 0) {
      tell({ name: "found_sent", of }, withPerson(state, of, accepted(person)))
    }
    const wasWrittenTo = person.delivered > 0 || person.stepsSent > 0
    const optOut = (name: "reply" | "unsubscribe") => {
      const stopped = lead(person, name)
      if (wasWrittenTo && (stopped !== person.lead || !person.isSuppressed)) {
        tell({ name, of }, withPerson(state, of, { lead: stopped, isSuppressed: true }))
      }
    }
    optOut("reply")
    optOut("unsubscribe")
    if (!person.isSuppressed) {
      const leaves = config.fault !== "suppression_is_forgotten"
      const now = leaves ? lead(person, "leave") : person.lead
      tell({ name: "suppress", of }, withPerson(state, of, { isSuppressed: true, lead: now }))
    }
    const decision = decisionOf(state, person, config)
    if (decision?.may === "never" && decision.why !== "ended") {
      tell({ name: "take_out", of }, withPerson(state, of, { lead: lead(person, "remove") }))
    }
    if (person.lead === "active" && person.stepsSent >= config.bounds.steps) {
      tell({ name: "finish", of }, withPerson(state, of, { lead: lead(person, "finish") }))
    }
  })
  const leads = state.people.filter((person) => person.lead !== "absent")
  const isOver = leads.every((person) => person.lead !== "absent" && LeadMachine.is.ended(person.lead))
  if (isOver && CampaignMachine.is.running(state.campaign)) {
    tell({ name: "complete" }, { ...state, campaign: next(CampaignMachine, state.campaign, "complete") })
  }
}
