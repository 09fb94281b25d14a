import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import type { SendingCapacity } from "@outbound/domain/sources/ports/SendingProvider.js"
import type { VendorScheduled, VendorTerms } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { Clock, Duration, Effect, Option } from "effect"
import { VendorWorld } from "./VendorWorld.js"

/** How a request goes wrong: whether the vendor acts, and what the caller gets. */
export interface Trouble {
  readonly acts: boolean
  /** Null: no answer, ever. */
  readonly failure: ProviderFailureReason | null
}

export const LOST_BEFORE: Trouble = { acts: false, failure: "unknown_outcome" }
export const LOST_AFTER: Trouble = { acts: true, failure: "unknown_outcome" }
export const DOWN: Trouble = { acts: false, failure: "transient" }
export const SILENT_BEFORE: Trouble = { acts: false, failure: null }
export const SILENT_AFTER: Trouble = { acts: true, failure: null }

type Method = Exclude<keyof VendorScheduled, "schedules" | "name" | "capacity" | "pushMax" | "timezones">

/** A vendor with its own schedule that misbehaves on request. */
export interface FakeVendor {
  readonly provider: VendorScheduled
  readonly world: VendorWorld
  /** For the next requests of this kind, one each. */
  readonly trouble: (method: Method, ...troubles: ReadonlyArray<Trouble>) => void
  /** From now on, for all methods or one; null: no trouble. */
  readonly always: (trouble: Trouble | null, method?: Method) => void
  /** Reports this many pauses as done without doing them. */
  readonly ignorePauses: (times: number) => void
  /** Reports each event twice. */
  readonly tellTwice: (twice: boolean) => void
  /** The methods called, oldest first. */
  readonly asked: ReadonlyArray<Method>
  /** The number of requests without an answer now. */
  readonly silent: () => number
  /** What it sets instead of what it is told. */
  insists: Partial<VendorTerms>
  /** Says that it amended a person, and didn't. */
  keepsValues: boolean
  /** People of its campaigns whom it lists to nobody, and writes to. */
  readonly unlisted: Set<string>
  /** Called per request: whether the caller dies, before or after the vendor acts. */
  onAsked: (method: Method) => "goes on" | "dies before" | "dies after"
  /** The time it takes to act. */
  slowness: Duration.Input
  /** Does its scheduled work. */
  readonly work: Effect.Effect<void>
}

const NAME = "fake_vendor"

const hoursOf = ({ schedule }: VendorTerms) => [schedule.startHour, schedule.endHour]

/** People per page. */
const PEOPLE_PAGE = 1

export const makeFakeVendor = (
  options: {
    readonly timezones?: ReadonlyArray<string>
    readonly pushMax?: number
    readonly capacity?: SendingCapacity
  } = {}
): FakeVendor => {
  const world = new VendorWorld()
  const troubles = new Map<Method, Array<Trouble>>()
  const asked: Array<Method> = []
  let permanentTrouble: Trouble | null = null
  let standsFor: Method | null = null
  let ignored = 0
  let twice = false
  let silent = 0
  const silence = Effect.acquireUseRelease(
    Effect.sync(() => void (silent += 1)),
    () => Effect.never,
    () => Effect.sync(() => void (silent -= 1))
  )

  const sleeping = Effect.suspend(() =>
    Duration.toMillis(fake.slowness) === 0 ? Effect.void : Effect.sleep(fake.slowness)
  )

  const failed = (reason: ProviderFailureReason) =>
    new ProviderFailure({ provider: NAME, reason, cause: "as scripted" })

  const answering =
    <Args extends ReadonlyArray<unknown>, A>(
      method: Method,
      act: (...args: Args) => Effect.Effect<A, ProviderFailure>
    ) =>
    (...args: Args): Effect.Effect<A, ProviderFailure> =>
      Effect.suspend(() => {
        asked.push(method)
        const trouble =
          troubles.get(method)?.shift() ?? (standsFor === null || standsFor === method ? permanentTrouble : null)
        const fate = fake.onAsked(method)
        if (fate === "dies before") return Effect.never
        if (fate === "dies after") return Effect.andThen(act(...args), Effect.never)
        if (trouble === null) return Effect.andThen(sleeping, act(...args))
        return Effect.andThen(
          trouble.acts ? Effect.ignore(act(...args)) : Effect.void,
          trouble.failure === null ? silence : Effect.fail(failed(trouble.failure))
        )
      })

  const campaignOf = (ref: string) =>
    Effect.suspend(() => {
      const found = world.campaign(ref)
      return found === undefined ? Effect.fail(failed("invalid")) : Effect.succeed(found)
    })

  const provider: VendorScheduled = {
    schedules: "vendor",
    name: NAME,
    capacity: options.capacity ?? null,
    pushMax: options.pushMax ?? 3,
    timezones: options.timezones ?? null,
    find: answering("find", (marker) =>
      Effect.sync(() =>
        Option.map(Option.fromNullishOr(world.campaigns.find(({ terms }) => terms.marker === marker)), ({ ref }) => ref)
      )
    ),
    create: answering("create", (terms) => Effect.sync(() => world.create(terms).ref)),
    configure: answering("configure", (ref, terms) =>
      Effect.map(campaignOf(ref), (campaign) => {
        campaign.terms = { ...terms, ...fake.insists }
      })
    ),
    differences: answering("differences", (ref, terms) =>
      Effect.map(campaignOf(ref), ({ terms: there }) => {
        const pairs = [
          ["timezone", terms.schedule.timezone, there.schedule.timezone],
          ["days", terms.schedule.days, there.schedule.days],
          ["hours", hoursOf(terms), hoursOf(there)],
          ["senders", [], there.mailboxes.filter((one) => !terms.mailboxes.includes(one))],
          ["messages", terms.steps, there.steps],
          ["daily_limit", 0, Math.max(0, there.dailySends - terms.dailySends)]
        ] as const
        return pairs.flatMap(([member, wanted, found]) =>
          JSON.stringify(wanted) === JSON.stringify(found) ? [] : [{ member, found: JSON.stringify(found) }]
        )
      })
    ),
    push: answering("push", (ref, people) =>
      Effect.map(campaignOf(ref), (campaign) => {
        const answers = people.map((person) => ({ person, answer: world.take(campaign, person) }))
        return {
          confirmed: answers.flatMap(({ answer, person: { campaignLeadId } }) =>
            typeof answer === "object" ? [{ campaignLeadId, ref: answer.ref }] : []
          ),
          refused: answers.flatMap(({ answer, person: { campaignLeadId } }) =>
            answer === "refused" ? [{ campaignLeadId, why: "as scripted" }] : []
          )
        }
      })
    ),
    amend: answering("amend", (ref, personRef, person) =>
      Effect.map(campaignOf(ref), (campaign) => {
        const one = campaign.people.find((each) => each.ref === personRef)
        if (one !== undefined && !fake.keepsValues) one.person = person
      })
    ),
    locate: answering("locate", (ref, emails) =>
      Effect.map(campaignOf(ref), (campaign) =>
        world.look(campaign, emails).map(({ email, ref: there }) => ({ email, ref: there }))
      )
    ),
    everybody: answering("everybody", (ref, cursor) =>
      Effect.map(campaignOf(ref), (campaign) => {
        const people = campaign.people.filter(({ email }) => !fake.unlisted.has(email))
        const [from, to] = [Number(cursor ?? 0), Number(cursor ?? 0) + PEOPLE_PAGE]
        return {
          people: people.slice(from, to).map(({ email, person, ref: there }) => ({
            email,
            ref: there,
            holds: (wanted) =>
              JSON.stringify([person.subjectValues, person.bodyValues]) ===
              JSON.stringify([wanted.subjectValues, wanted.bodyValues])
          })),
          cursor: to < people.length ? String(to) : null
        }
      })
    ),
    activate: answering("activate", (ref) =>
      Effect.map(campaignOf(ref), (campaign) => {
        campaign.status = "active"
      })
    ),
    pause: answering("pause", (ref) =>
      Effect.map(campaignOf(ref), (campaign) => {
        if (ignored > 0) ignored -= 1
        else campaign.status = "paused"
      })
    ),
    standing: answering("standing", (ref) =>
      Effect.sync(() => {
        const campaign = world.campaign(ref)
        return campaign === undefined ? ("gone" as const) : world.standing(campaign)
      })
    ),
    withdraw: answering("withdraw", (ref, person) =>
      Effect.flatMap(campaignOf(ref), (campaign) => {
        if (person.ref === null && person.email === "") return Effect.fail(failed("invalid"))
        const theirs = campaign.people.filter((one) => one.ref === person.ref || one.email === person.email)
        for (const one of theirs) if (one.status === "active") world.remove(campaign, one.ref)
        return Effect.void
      })
    ),
    forget: answering("forget", (ref, personRef) =>
      Effect.map(campaignOf(ref), (campaign) => void world.remove(campaign, personRef))
    ),
    block: answering("block", (email) => Effect.sync(() => void world.blocked.add(email))),
    events: answering("events", (ref, cursor) =>
      Effect.map(campaignOf(ref), ({ events }) => {
        const from = Number(cursor ?? 0)
        const page = events.slice(from, from + 10)
        return {
          events: twice ? page.flatMap((event) => [event, event]) : page,
          cursor: String(from + page.length),
          hasMore: events.length > from + page.length
        }
      })
    ),
    reply: answering("reply", ({ person, subject, text, to }) =>
      Effect.map(Clock.currentTimeMillis, (atMillis) => {
        world.answered.push({ to, email: person.email, subject, text, atMillis })
      })
    ),
    findSent: answering("findSent", ({ text, to }) =>
      Effect.sync(() => (world.answered.some((one) => one.to === to && one.text === text) ? "sent" : "unknowable"))
    ),
    setInterest: answering("setInterest", ({ email, interest, ref }) =>
      Effect.map(campaignOf(ref), ({ people }) => {
        for (const one of people) if (one.email === email) one.interest = interest
      })
    )
  }

  const fake: FakeVendor = {
    provider,
    world,
    asked,
    silent: () => silent,
    trouble: (method, ...list) => void troubles.set(method, [...(troubles.get(method) ?? []), ...list]),
    always: (trouble, method) => {
      permanentTrouble = trouble
      standsFor = method ?? null
    },
    ignorePauses: (times) => {
      ignored = times
    },
    tellTwice: (value) => {
      twice = value
    },
    insists: {},
    keepsValues: false,
    unlisted: new Set(),
    onAsked: () => "goes on",
    slowness: 0,
    work: Effect.map(Clock.currentTimeMillis, (nowMillis) => world.work(nowMillis))
  }
  return fake
}
