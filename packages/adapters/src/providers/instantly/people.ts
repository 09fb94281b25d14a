import { namesOf } from "../sending/campaigns.js"
import type { InterestStatus } from "@outbound/domain/kernel/sequences/Sequence.js"
import type { PersonThere, VendorPerson, VendorScheduled } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { Effect, Schema } from "effect"
import { valuesOf } from "../sending/html.js"
import { holdsValues } from "../sending/readBack.js"
import { listOf, maybe } from "../shape.js"
import type { VendorHttp, VendorRequest } from "../VendorHttp.js"
import { listedBy, PAGE } from "./listing.js"

const Created = Schema.Struct({ index: maybe(Schema.Number), id: Schema.String, email: maybe(Schema.String) })
const Pushed = Schema.Struct({ created_leads: listOf(Created) })
/** `payload`: all that is known of them, our variables among it. */
export const Person = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  status: maybe(Schema.Number),
  payload: maybe(Schema.Record(Schema.String, Schema.Unknown))
})
export const People = Schema.Struct({ items: Schema.Array(Person), next_starting_after: maybe(Schema.String) })
const Blocked = Schema.Struct({ items: Schema.Array(Schema.Struct({ bl_value: Schema.String })) })

export const PUSH_MAX = 500
const PAGES_MAX = 20

/** 1 active, 2 paused: all others get nothing more. */
const mayGetMessages = ({ status }: typeof Person.Type): boolean => status === null || status === 1 || status === 2

const INTEREST: Readonly<Record<InterestStatus, number | null>> = {
  interested: 1,
  meeting_booked: 2,
  won: 4,
  not_interested: -1,
  out_of_office: 0,
  neutral: null
}

const leadOf = (person: VendorPerson) => ({ ...namesOf(person), custom_variables: valuesOf(person) })

export const makePeople = (
  http: VendorHttp
): Pick<
  VendorScheduled,
  "push" | "amend" | "locate" | "everybody" | "withdraw" | "forget" | "block" | "setInterest"
> => {
  const pageOf = (filter: Readonly<Record<string, unknown>>, after: string | null): VendorRequest => ({
    method: "POST",
    path: "/leads/list",
    body: { ...filter, limit: PAGE, ...(after === null ? {} : { starting_after: after }) }
  })

  const listed = (filter: Readonly<Record<string, unknown>>) =>
    listedBy(http, {
      item: Person,
      what: "people",
      pagesMax: PAGES_MAX,
      request: (after) => pageOf(filter, after)
    })

  /** The campaign's people with this name or address. */
  const theirs = (ref: string, { email, ref: id }: PersonThere) =>
    Effect.gen(function* () {
      const byEmail = email === "" ? [] : yield* listed({ campaign: ref, contacts: [email] })
      const byId = email !== "" || id === null ? [] : yield* listed({ campaign: ref, ids: [id] })
      // An ignored filter must not match others.
      return [...byEmail, ...byId].filter((one) => one.id === id || one.email.toLowerCase() === email.toLowerCase())
    })

  const isBlocked = (email: string) =>
    Effect.map(http.get(Blocked, "/block-lists-entries", { search: email, limit: PAGE }), ({ items }) =>
      items.some(({ bl_value }) => bl_value.toLowerCase() === email.toLowerCase())
    )

  /**
   * Adds people who aren't in the campaign. Its own check, `skip_if_in_campaign`, would leave out whoever is in any
   * campaign of the account, also in another workspace's.
   */
  const add = (ref: string, people: ReadonlyArray<VendorPerson>) =>
    people.length === 0
      ? Effect.succeed([])
      : Effect.map(
          http.make(Pushed, "/leads/add", {
            campaign_id: ref,
            leads: people.map(leadOf),
            skip_if_in_campaign: false,
            skip_if_in_workspace: false,
            verify_leads_on_import: false
          }),
          ({ created_leads }) =>
            created_leads.flatMap(({ email, id, index }) => {
              const named = email === null ? undefined : people.find((one) => one.email === email.toLowerCase())
              const person = named ?? (email === null && index !== null ? people[index] : undefined)
              return person === undefined ? [] : [{ campaignLeadId: person.campaignLeadId, ref: id }]
            })
        )

  return {
    push: (ref, people) =>
      Effect.gen(function* () {
        const idOf = new Map(
          (yield* listed({ campaign: ref, contacts: people.map(({ email }) => email) })).map(
            ({ email, id }) => [email.toLowerCase(), id] as const
          )
        )
        const known = people.flatMap(({ campaignLeadId, email }) => {
          const id = idOf.get(email)
          return id === undefined ? [] : [{ campaignLeadId, ref: id }]
        })
        const added = yield* add(
          ref,
          people.filter(({ email }) => !idOf.has(email))
        )
        // It counts skipped people without naming them. Those who never appear are given up.
        return { confirmed: [...known, ...added], refused: [] }
      }),
    amend: (_ref, id, person) =>
      Effect.asVoid(http.change("PATCH", `/leads/${encodeURIComponent(id)}`, { custom_variables: valuesOf(person) })),
    locate: (ref, emails) =>
      Effect.map(listed({ campaign: ref, contacts: emails }), (found) =>
        found.map(({ email, id }) => ({ email, ref: id }))
      ),
    everybody: (ref, cursor) =>
      Effect.map(http.read(People, pageOf({ campaign: ref }, cursor)), ({ items, next_starting_after }) => ({
        people: items.map(({ email, id, payload }) => ({
          email,
          ref: id,
          holds: (person) => holdsValues(valuesOf(person), payload)
        })),
        // The last page may be full and still name a next one.
        cursor: items.length === 0 ? null : next_starting_after
      })),
    withdraw: (ref, person) =>
      Effect.gen(function* () {
        if (person.email === "" && person.ref === null) return yield* http.failed("invalid", "nobody is named")
        const ids = (yield* theirs(ref, person)).filter(mayGetMessages).map(({ id }) => id)
        if (ids.length === 0) return
        // Without ids it would remove everybody.
        yield* http.change("DELETE", "/leads", { campaign_id: ref, ids, limit: ids.length })
        if ((yield* theirs(ref, person)).some(mayGetMessages)) {
          return yield* http.failed("transient", "they are still there")
        }
      }),
    forget: (ref, id) =>
      Effect.gen(function* () {
        const known = Effect.map(listed({ campaign: ref, ids: [id] }), (found) => found.some((one) => one.id === id))
        if (!(yield* known)) return
        yield* http.change("DELETE", "/leads", { campaign_id: ref, ids: [id], limit: 1 })
        if (yield* known) return yield* http.failed("transient", "they are still there")
      }),
    block: (email) =>
      Effect.gen(function* () {
        if (yield* isBlocked(email)) return
        yield* http.change("POST", "/block-lists-entries", { bl_value: email })
        if (!(yield* isBlocked(email))) return yield* http.failed("transient", "it is not on the list")
      }),
    setInterest: ({ email, interest, ref }) =>
      Effect.asVoid(
        http.change("POST", "/leads/update-interest-status", {
          lead_email: email,
          interest_value: INTEREST[interest],
          campaign_id: ref
        })
      )
  }
}
