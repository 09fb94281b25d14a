/**
 * Campaigns whose recipients attack: some of the people forge reports and senders, refuse by policy, flood and loop, chosen
 * by a seed. Each knows only the mail that reached them, as an attacker does who has no access to our servers.
 */
import type { MailPart } from "@outbound/domain/outreach/mail/mail.js"
import type { OutgoingMail } from "@outbound/domain/outreach/mail/MailTransport.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { VerbName } from "@outbound/domain/verbs/verbs.js"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { makeCompletionSweep } from "@outbound/domain/outreach/campaigns/Completion.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { Inbox } from "@outbound/domain/outreach/replies/Inbox.js"
import { MailReading } from "@outbound/domain/outreach/replies/MailReading.js"
import { Dispatcher } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { HeldMailboxes } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import { OwnDispatch } from "@outbound/domain/outreach/sending/OwnDispatch.js"
import { makeWindowSweep } from "@outbound/domain/outreach/sending/SendingCalendar.js"
import { Effect, Layer, Random, References } from "effect"
import { TestClock } from "effect/testing"
import * as QuietClock from "../clock/QuietClock.js"
import { MailBehaviour, MemoryMail } from "../mail/MemoryMail.js"
import * as PostOffice from "../mail/PostOffice.js"
import { Memory } from "../memory/Memory.js"
import { type Client, decide } from "../service/Client.js"
import { layerMemory } from "../service/Service.js"
import { taken, team, type Team } from "../service/Team.js"
import { Chance } from "./Chance.js"
import { breaches } from "./invariants.js"

const BEGIN = Date.UTC(2027, 2, 25)

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
const SCHEDULE = { timezone: "UTC", days: DAYS, start_hour: 0, end_hour: 24 }
const SEQUENCE = [
  { subject: "Hello", body: "Hi" },
  { body: "Again", wait_days: 2 }
]

const PEOPLE = 8

/** At most so many attack, so that no limit of the workspace is reached honestly. */
const HOSTILE_MAX = 4

/** When the host works: often while both steps leave, then once a day until the last of them counts as unanswered. */
const HOURS = [
  ...Array.from({ length: 12 }, () => 2),
  ...Array.from({ length: 30 }, () => 3),
  ...Array.from({ length: 18 }, () => 24)
]

/** Who attacks does so at one of so many steps. */
const ATTACKS_EVERY = 6

/** How many letters a flood has. */
const FLOOD = 12

export interface HostileRun {
  readonly seed: number
  readonly trace: ReadonlyArray<string>
  /** What an attack achieved that it must not; null: nothing. */
  readonly broken: string | null
}

interface Attack {
  /** What the attacker sees: the mail that reached them. */
  readonly mail: OutgoingMail
  /** Somebody else whom they know to be written to. */
  readonly victim: string
  readonly pick: <A>(of: ReadonlyArray<A>) => A
  readonly chars: (count: number) => string
}

const DAEMON = "Mail Delivery System <mailer-daemon@recipients.test>"

const STATUSES = ["5.1.1", "5.0.0", "5.2.2", "5.7.1", "5.7.133", "4.7.1", "5.4.316"]

const status = (recipient: string, code: string): MailPart => ({
  type: "message/delivery-status",
  text: `Reporting-MTA: dns; b.test\n\nFinal-Recipient: rfc822; ${recipient}\nAction: failed\nStatus: ${code}`
})

const returned = (messageId: string, { header, value }: NonNullable<OutgoingMail["mark"]>): MailPart => ({
  type: "text/rfc822-headers",
  text: `From: jo@acme.test\nMessage-ID: <${messageId}>\n${header}: ${value}\nSubject: Hello`
})

/** The mark of the message that they got. */
const markOn = ({ mark }: OutgoingMail): NonNullable<OutgoingMail["mark"]> => mark ?? { header: "X-None", value: "" }

/** The same, with another message's id before its proof. */
const moved = (mail: OutgoingMail, messageId: string) => {
  const { header, value } = markOn(mail)
  return { header, value: value.replace(/^[^.]*/, messageId) }
}

const report = (type: "delivery-status" | "feedback-report", parts: ReadonlyArray<MailPart>): PostOffice.Letter => ({
  from: DAEMON,
  subject: "Undelivered Mail Returned to Sender",
  text: "This is a report.",
  head: [["Return-Path", "<>"]],
  report: { type, parts }
})

/** What a receiving server writes on mail whose sender is not who it says. */
const DENIED = ["Authentication-Results", "mx.acme.test; spf=fail; dkim=none; dmarc=fail"] as const

const COMPLAINT = "Feedback-Type: abuse\nUser-Agent: Fake/1.0\nVersion: 1"

const FLOOD_OF_ANSWERS = "a flood of answers"

const ATTACKS: Readonly<Record<string, (attack: Attack) => ReadonlyArray<PostOffice.Letter>>> = {
  "a report on another's address, which quotes the attacker's own message": ({ mail, pick, victim }) => [
    report("delivery-status", [status(victim, pick(STATUSES)), returned(mail.messageId, markOn(mail))])
  ],
  "a report on another's address, which quotes nothing": ({ pick, victim }) => [
    report("delivery-status", [status(victim, pick(STATUSES))])
  ],
  "a report on another's address, with a mark that was guessed": ({ chars, mail, pick, victim }) => [
    report("delivery-status", [
      status(victim, pick(STATUSES)),
      returned(`${chars(12)}@acme.test`, { ...markOn(mail), value: `${chars(36)}.${chars(22)}` })
    ])
  ],
  "reports on messages that were guessed, with the mark that they know": ({ chars, mail }) =>
    Array.from({ length: FLOOD }, () => {
      const guessed = `0000${chars(4)}-0000-7000-8000-000000000000`
      return report("delivery-status", [
        status(mail.to.address, "5.1.1"),
        returned(`${guessed}@acme.test`, moved(mail, guessed))
      ])
    }),
  "a plain report on another's address": ({ victim }) => [
    {
      from: DAEMON,
      subject: "Delivery Status Notification (Failure)",
      text: `Your message could not be delivered.\n\n<${victim}>: host mx.b.test said: 550 5.1.1 User unknown`,
      head: [["X-Failed-Recipients", victim]]
    }
  ],
  "a complaint in another's name": ({ victim }) => [
    report("feedback-report", [
      { type: "message/feedback-report", text: `${COMPLAINT}\nOriginal-Rcpt-To: ${victim}` },
      { type: "text/rfc822-headers", text: `From: jo@acme.test\nTo: ${victim}\nSubject: Hello` }
    ])
  ],
  "a complaint of their own": ({ mail }) => [
    report("feedback-report", [
      { type: "message/feedback-report", text: COMPLAINT },
      returned(mail.messageId, markOn(mail))
    ])
  ],
  "policy reports of their own": ({ mail, pick }) =>
    Array.from({ length: FLOOD }, () =>
      report("delivery-status", [
        status(mail.to.address, pick(["5.7.1", "4.7.1", "5.7.26"])),
        returned(mail.messageId, markOn(mail))
      ])
    ),
  "an answer in another's name in the attacker's own thread": ({ mail, pick, victim }) => [
    { from: victim, text: pick(["STOP", "unsubscribe", "Not interested."]), inReplyTo: mail.messageId, head: [DENIED] }
  ],
  "an automatic answer to each message, for ever": ({ mail }) =>
    Array.from({ length: FLOOD }, () => ({
      from: mail.to.address,
      subject: "Out of office",
      text: "I am away.",
      inReplyTo: mail.messageId,
      head: [["Auto-Submitted", "auto-replied"]] as const
    })),
  [FLOOD_OF_ANSWERS]: ({ chars, mail }) =>
    Array.from({ length: FLOOD }, () => ({
      from: mail.to.address,
      text: `Hm. ${chars(20)}`,
      inReplyTo: mail.messageId
    })),
  nonsense: ({ chars, mail }) => [
    {
      from: `"${chars(5)}\u0000" <${chars(300)}@${chars(300)}>`,
      subject: `\ud800${chars(900)}`,
      text: "\u0000".repeat(500),
      head: [["References", `<${mail.messageId}> `.repeat(400)]]
    }
  ]
}

/** Mail in another's name, which the receiving server denies: it may end their sequence, and suppresses nobody. */
const spoofed = ({ pick, victim }: Attack): PostOffice.Letter => ({
  from: victim,
  text: pick(["STOP", "Not interested, remove me.", "Never write again."]),
  head: [DENIED]
})

const REFUSALS = [
  { phase: "recipient", code: 554, status: "5.7.1", reason: "account" },
  { phase: "recipient", code: 550, status: "5.7.133", reason: "invalid" },
  { phase: "recipient", code: 550, status: "5.7.26", reason: "account" },
  { phase: "recipient", code: 451, status: "4.7.1", reason: "transient" },
  { phase: "recipient", code: 452, status: "4.2.2", reason: "transient" },
  { phase: "recipient", code: 550, status: "5.1.1", reason: "invalid" },
  { phase: "content", code: 554, status: "5.7.1", reason: "account" },
  { phase: "content", code: 554, status: "5.6.0", reason: "invalid" }
] as const

class Hostile {
  readonly trace: Array<string> = []
  readonly random: Chance
  readonly people: ReadonlyArray<string>
  readonly attackers: ReadonlySet<string>
  /** Whom somebody impersonated past the receiving server's denial. */
  readonly impersonated = new Set<string>()
  /** Who answered themselves: that must count. */
  readonly answered = new Set<string>()

  constructor(readonly seed: number) {
    this.random = new Chance(seed)
    // Some share a domain, as colleagues do.
    this.people = Array.from({ length: PEOPLE }, (_, index) => `p${index}-${seed}@rcpt${index % 3}.test`)
    const count = 1 + this.random.integer(HOSTILE_MAX)
    const begin = this.random.integer(PEOPLE)
    this.attackers = new Set(this.people.filter((_, index) => (index + begin) % PEOPLE < count))
  }

  readonly pick = <A>(of: ReadonlyArray<A>): A => of[this.random.integer(of.length)] as A

  readonly chars = (count: number): string =>
    Array.from({ length: count }, () => "abcdefghijklmnopqrstuvwxyz0123456789"[this.random.integer(36)]).join("")

  get victims(): ReadonlyArray<string> {
    return this.people.filter((person) => !this.attackers.has(person))
  }

  /** Some refuse from the start, at their own server. */
  refuse = Effect.gen({ self: this }, function* () {
    const mail = yield* MemoryMail
    for (const attacker of this.attackers) {
      if (this.random.integer(3) > 0) continue
      const refusal = this.pick(REFUSALS)
      this.trace.push(`${attacker} refuses: ${refusal.code} ${refusal.status} (${refusal.phase})`)
      yield* mail.refuseTo(attacker, MailBehaviour.Refuse(refusal))
    }
  })

  /** Some of those who got mail attack, with what their newest message tells them. */
  attack = (owner: Team) =>
    Effect.gen({ self: this }, function* () {
      const office = yield* PostOffice.PostOffice
      const mails = yield* taken(owner)
      for (const attacker of this.attackers) {
        const got = mails.findLast(({ mail }) => mail.to.address === attacker)
        if (got === undefined || this.random.integer(ATTACKS_EVERY) > 0) continue
        const given = { mail: got.mail, victim: this.pick(this.victims), pick: this.pick, chars: this.chars }
        if (this.random.integer(10) === 0) {
          this.trace.push(`${attacker} writes in the name of ${given.victim}`)
          this.impersonated.add(given.victim)
          yield* office.deliver(got.from, spoofed(given))
          continue
        }
        const name = this.pick(Object.keys(ATTACKS))
        this.trace.push(`${attacker} against ${given.victim}: ${name}`)
        if (name === FLOOD_OF_ANSWERS) this.answered.add(attacker)
        for (const letter of ATTACKS[name]?.(given) ?? []) yield* office.deliver(got.from, letter)
      }
    })

  /** What the attacks achieved that they must not. */
  wrong = (owner: Team, campaign_id: string) =>
    Effect.gen({ self: this }, function* () {
      const memory = yield* Memory
      const found = [...(yield* memory.read(breaches))]
      const { state } = yield* resultOf(owner.client, "get_campaign", { campaign_id })
      if (!CampaignMachine.is.over(state)) found.push(`the campaign is ${state}: somebody still waits`)
      const { events } = yield* resultOf(owner.client, "get_trail", { kind: "mailbox_paused,paused", limit: 200 })
      for (const { detail, kind } of events) found.push(`${kind}: ${JSON.stringify(detail)}`)
      const got = new Map<string, number>()
      for (const { mail } of yield* taken(owner)) got.set(mail.to.address, (got.get(mail.to.address) ?? 0) + 1)
      const { leads } = yield* resultOf(owner.client, "list_leads", { campaign_id })
      for (const lead of leads) {
        const isVictim = !this.attackers.has(lead.email)
        const mails = got.get(lead.email) ?? 0
        if (mails > SEQUENCE.length) found.push(`${lead.email} got ${mails} messages`)
        const told = yield* resultOf(owner.client, "get_trail", { email: lead.email, kind: "suppressed" })
        if (this.answered.has(lead.email) && told.events.length === 0) found.push(`${lead.email} was not heard`)
        if (!isVictim) continue
        if (told.events.length > 0) found.push(`${lead.email} was suppressed by somebody else's mail`)
        if (this.impersonated.has(lead.email)) continue
        if (!LeadMachine.is.finished(lead.state)) found.push(`${lead.email} is ${lead.state} by somebody else's mail`)
        if (mails !== SEQUENCE.length) found.push(`${lead.email} got ${mails} of ${SEQUENCE.length} messages`)
      }
      return found
    })
}

/** The result of a call that must succeed. */
const resultOf = (...[client, verb, input]: [Client, VerbName, JsonObject]) =>
  Effect.map(client.call(verb, input, { key: `${verb}-${Object.keys(input).length}` }), ({ result, text }) => {
    if (result === undefined) throw new Error(`${verb}: ${text}`)
    return result
  })

/** A campaign of two steps to these people, which a person has approved. */
const launched = ({ client }: Team, emails: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const recipients = emails.map((email) => ({ email }))
    const draft = { name: "Story", recipients, sequence: SEQUENCE, schedule: SCHEDULE }
    const { campaign_id } = yield* resultOf(client, "create_campaign", draft)
    const { approval_url, confirmation_token } = yield* resultOf(client, "launch_campaign", { campaign_id })
    yield* decide(client, approval_url, "approve")
    yield* resultOf(client, "launch_campaign", { campaign_id, confirmation_token })
    return campaign_id as string
  })

/** What a host does for own mailboxes, until nothing is left to do now. */
const hostTurn = Effect.gen(function* () {
  const [held, own, inbox, reading] = yield* Effect.all([HeldMailboxes, OwnDispatch, Inbox, MailReading])
  const dispatcher = yield* Dispatcher
  yield* yield* makeWindowSweep
  yield* held.renew
  yield* reading.round
  while ((yield* inbox.round) > 0) yield* Effect.yieldNow
  yield* own.round
  yield* dispatcher.sweep
  yield* yield* makeCompletionSweep
}).pipe(Effect.orDie)

/** A host that reads the mail that arrives at the post office. */
const service = Layer.provideMerge(Layer.fresh(Outbound.ownRounds), Layer.provideMerge(PostOffice.layer, layerMemory))

/** One campaign under attack, all chance of which comes from the seed. */
export const simulateHostile = (seed: number): Effect.Effect<HostileRun> =>
  Effect.suspend(() => {
    const world = new Hostile(seed)
    return Effect.gen(function* () {
      yield* TestClock.setTime(BEGIN)
      const owner = yield* team(1)
      yield* world.refuse
      const campaign_id = yield* launched(owner, world.people)
      for (const hours of HOURS) {
        // What was just taken is read before it sends.
        yield* hostTurn
        yield* TestClock.adjust("20 seconds")
        yield* hostTurn
        yield* world.attack(owner)
        yield* TestClock.adjust(`${hours} hours`)
      }
      yield* hostTurn
      return yield* world.wrong(owner, campaign_id)
    }).pipe(
      Effect.scoped,
      Effect.provide(service),
      Effect.provideService(Random.Random, new Chance(seed)),
      Effect.withTracerEnabled(false),
      Effect.provideService(References.MinimumLogLevel, "None"),
      Effect.provide(QuietClock.layer(() => false, QuietClock.MEMORY_TURN)),
      Effect.map((found) => ({ seed, trace: world.trace, broken: found.length === 0 ? null : found.join("\n") }))
    )
  })

/** The run as a person reads it. */
export const describeHostile = ({ broken, seed, trace }: HostileRun): string =>
  [`seed ${seed}: ${broken ?? "nothing broke"}`, ...trace.map((line) => `  ${line}`)].join("\n")
