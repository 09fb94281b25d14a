import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import type {
  ExistingMailbox,
  VendorEvent,
  VendorPerson,
  VendorStanding,
  VendorTerms
} from "@outbound/domain/sources/ports/VendorScheduled.js"

/** A person in a vendor's campaign. */
export interface PersonOfVendor {
  readonly ref: string
  readonly email: string
  person: VendorPerson
  status: "active" | "finished" | "replied" | "bounced" | "unsubscribed"
  steps: number
  dueAtMillis: number
  /** The number of lookups that don't show them yet. */
  hidden: number
  interest: string | null
}

export interface CampaignOfVendor {
  readonly ref: string
  terms: VendorTerms
  status: "draft" | "active" | "paused"
  readonly people: Array<PersonOfVendor>
  readonly events: Array<VendorEvent>
}

/** A sent message. */
export interface Sent {
  readonly ref: string
  readonly email: string
  readonly step: number
  readonly mailbox: string
  readonly subject: string
  readonly text: string
  readonly atMillis: number
}

/** A sent reply. */
export interface Answered {
  readonly to: string
  readonly email: string
  readonly subject: string
  readonly text: string
  readonly atMillis: number
}

/** The state of a vendor with its own schedule: deterministic, driven by calls of `work`. */
export class VendorWorld {
  readonly campaigns: Array<CampaignOfVendor> = []
  readonly mailboxes: Array<ExistingMailbox> = []
  readonly blocked = new Set<string>()
  readonly sent: Array<Sent> = []
  readonly answered: Array<Answered> = []
  /** Addresses that it refuses, loses on arrival, or shows only after some lookups. */
  readonly refuses = new Set<string>()
  readonly loses = new Set<string>()
  readonly hides = new Map<string, number>()
  #refs = 0

  /** Makes ids in the vendor's form. */
  constructor(private readonly nameOf: (number: number) => string = (number) => `v${number}`) {}

  nextRef(): string {
    this.#refs += 1
    return this.nameOf(this.#refs)
  }

  campaign(ref: string): CampaignOfVendor | undefined {
    return this.campaigns.find((one) => one.ref === ref)
  }

  create(terms: VendorTerms): CampaignOfVendor {
    const made: CampaignOfVendor = { ref: this.nextRef(), terms, status: "draft", people: [], events: [] }
    this.campaigns.push(made)
    return made
  }

  /** Adds a person, unless present, refused or lost. Returns the vendor's answer. */
  take(campaign: CampaignOfVendor, person: VendorPerson): { readonly ref: string } | "refused" | "silent" {
    const email = person.email.toLowerCase()
    if (this.refuses.has(email) || this.blocked.has(email)) return "refused"
    if (this.loses.delete(email)) return "silent"
    if (campaign.people.some((one) => one.email === email)) return "silent"
    const hidden = this.hides.get(email) ?? 0
    const taken: PersonOfVendor = {
      ref: this.nextRef(),
      email,
      person,
      status: "active",
      steps: 0,
      dueAtMillis: 0,
      hidden,
      interest: null
    }
    campaign.people.push(taken)
    return hidden > 0 ? "silent" : { ref: taken.ref }
  }

  /** The visible people with these addresses. */
  look(campaign: CampaignOfVendor, emails: ReadonlyArray<string>): ReadonlyArray<PersonOfVendor> {
    const wanted = new Set(emails.map((email) => email.toLowerCase()))
    return campaign.people.filter((one) => {
      if (!wanted.has(one.email)) return false
      if (one.hidden === 0) return true
      one.hidden -= 1
      return false
    })
  }

  remove(campaign: CampaignOfVendor, ref: string): boolean {
    const at = campaign.people.findIndex((one) => one.ref === ref)
    if (at < 0) return false
    campaign.people.splice(at, 1)
    return true
  }

  standing({ people, status }: CampaignOfVendor): VendorStanding {
    if (status !== "active") return "stopped"
    return people.length > 0 && people.every((one) => one.status !== "active") ? "ended" : "sending"
  }

  /** Sends what is due, one step per person. */
  work(nowMillis: number): void {
    for (const campaign of this.campaigns) {
      const { mailboxes, steps } = campaign.terms
      if (campaign.status !== "active" || mailboxes.length === 0) continue
      for (const [index, one] of campaign.people.entries()) {
        const step = steps[one.steps]
        if (one.status !== "active" || one.dueAtMillis > nowMillis || step === undefined) continue
        const mailbox = mailboxes[index % mailboxes.length] ?? ""
        const fill = (parts: typeof step.body, values: Readonly<Record<string, string>>) =>
          parts.map((part) => (typeof part === "string" ? part : (values[part.variable] ?? ""))).join("")
        this.sent.push({
          ref: campaign.ref,
          email: one.email,
          step: one.steps,
          mailbox,
          subject: fill(step.subject ?? [], one.person.subjectValues),
          text: fill(step.body, one.person.bodyValues),
          atMillis: nowMillis
        })
        this.tell(campaign, one, { kind: "sent", stepIndex: one.steps, mailbox }, nowMillis)
        one.steps += 1
        const next = steps[one.steps]
        if (next === undefined) one.status = "finished"
        else one.dueAtMillis = nowMillis + next.waitDays * DAY_MILLIS
      }
    }
  }

  /** The person replies, which stops their sequence. */
  answer(ref: string, email: string, text: string, nowMillis: number): void {
    const [campaign, one] = this.personIn(ref, email)
    one.status = "replied"
    const mailbox = this.sent.findLast((sent) => sent.ref === ref && sent.email === email)?.mailbox ?? ""
    const messageId = `${this.nextRef()}@answers.test`
    this.tell(
      campaign,
      one,
      {
        kind: "reply",
        messageId,
        fromEmail: email,
        mailbox,
        subject: "Re: Hello",
        text,
        html: null,
        isAutomatic: false
      },
      nowMillis
    )
  }

  end(ref: string, email: string, how: "bounced" | "unsubscribed", nowMillis: number): void {
    const [campaign, one] = this.personIn(ref, email)
    one.status = how
    this.tell(campaign, one, { kind: how }, nowMillis)
  }

  private personIn(ref: string, email: string): readonly [CampaignOfVendor, PersonOfVendor] {
    const campaign = this.campaign(ref)
    const one = campaign?.people.find((person) => person.email === email)
    if (campaign === undefined || one === undefined) throw new Error(`${email} is not in ${ref}`)
    return [campaign, one]
  }

  private tell(
    campaign: CampaignOfVendor,
    one: PersonOfVendor,
    what: DistributiveOmit<VendorEvent, "eventId" | "person" | "atMillis">,
    atMillis: number
  ): void {
    const person = { ref: one.ref, email: one.email }
    campaign.events.push({ ...what, eventId: this.nextRef(), person, atMillis } as VendorEvent)
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
