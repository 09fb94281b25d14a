import { namesOf } from "../sending/campaigns.js"
import { holdsValues } from "../sending/readBack.js"
import type { PersonThere, VendorPerson, VendorScheduled } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { Effect, Schema } from "effect"
import { Id, maybe } from "../shape.js"
import type { VendorHttp } from "../VendorHttp.js"
import type { SmartleadSettings } from "./settings.js"
import { fieldsOf, listAt, Member } from "./shapes.js"
import type { Threads } from "./threads.js"

const Pushed = Schema.Struct({
  emailToLeadIdMap: maybe(Schema.Struct({ newlyAddedLeads: maybe(Schema.Record(Schema.String, Id)) }))
})
const Members = listAt(Member, "data", "leads")
const Blocked = listAt(Schema.Struct({ email_or_domain: Schema.String }), "data")

export const PUSH_MAX = 400
const PAGE = 100
const PAGES_MAX = 100

/** Up to this many people are looked up one by one; for more we read the whole campaign. */
const ONE_BY_ONE_MAX = 5

/** Never bypass suppression there, whatever the defaults. */
const SETTINGS = {
  ignore_global_block_list: false,
  ignore_unsubscribe_list: false,
  ignore_community_bounce_list: false,
  ignore_duplicate_leads_in_other_campaign: false,
  return_lead_ids: true
} as const

/** They get nothing more, whatever happens to the campaign. */
const FINAL: ReadonlySet<string> = new Set(["PAUSED", "STOPPED", "COMPLETED", "BLOCKED"])

const leadOf = (person: VendorPerson) => ({ ...namesOf(person), custom_fields: fieldsOf(person) })

export const makePeople = (
  http: VendorHttp,
  settings: SmartleadSettings,
  threads: Threads
): Pick<
  VendorScheduled,
  "push" | "amend" | "locate" | "everybody" | "withdraw" | "forget" | "block" | "setInterest"
> => {
  const at = (ref: string, action = "") => `/campaigns/${encodeURIComponent(ref)}/leads${action}`

  /** The campaign's people from this offset; empty: no more. A short page may be the vendor's maximum. */
  const memberPage = (ref: string, offset: number) => http.get(Members, at(ref), { offset, limit: PAGE })

  /** Reads the campaign's people until all wanted ones are found. */
  const members = (ref: string, isEnough: (found: ReadonlyArray<typeof Member.Type>) => boolean) =>
    Effect.gen(function* () {
      const found: Array<typeof Member.Type> = []
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const rows = yield* memberPage(ref, found.length)
        found.push(...rows)
        if (rows.length === 0 || isEnough(found)) return found
      }
      return yield* http.failed("transient", "it lists people without an end")
    })

  const memberWith = (ref: string, id: string) =>
    Effect.map(
      members(ref, (found) => found.some(({ lead }) => lead.id === id)),
      (found) => found.find(({ lead }) => lead.id === id)
    )

  /** Their id, if they are in the campaign. */
  const idIn = (ref: string, { email, ref: id }: PersonThere) =>
    Effect.gen(function* () {
      if (email !== "") return yield* threads.idIn(ref, email)
      if (id === null) return yield* http.failed("invalid", "nobody is named")
      return (yield* memberWith(ref, id))?.lead.id ?? null
    })

  const stillThere = Effect.fail(http.failed("transient", "they are still there"))

  const remove = (ref: string, id: string) => http.change("DELETE", at(ref, `/${encodeURIComponent(id)}`))

  const isBlocked = (email: string) =>
    Effect.map(
      http.get(Blocked, "/leads/get-domain-block-list", { filter_email_with_domain: email, offset: 0, limit: PAGE }),
      (list) => list.some(({ email_or_domain }) => email_or_domain.toLowerCase() === email.toLowerCase())
    )

  return {
    push: (ref, people) =>
      Effect.gen(function* () {
        const body = { lead_list: people.map(leadOf), settings: SETTINGS }
        const { emailToLeadIdMap } = yield* http.make(Pushed, at(ref), body)
        const named = new Map(
          Object.entries(emailToLeadIdMap?.newlyAddedLeads ?? {}).map(([email, id]) => [email.toLowerCase(), id])
        )
        return {
          confirmed: people.flatMap(({ campaignLeadId, email }) => {
            const known = named.get(email.toLowerCase())
            return known === undefined ? [] : [{ campaignLeadId, ref: known }]
          }),
          // Skipped people may be in the campaign already. Those who never appear are given up.
          refused: []
        }
      }),
    amend: (ref, id, person) =>
      Effect.asVoid(http.change("POST", at(ref, `/${encodeURIComponent(id)}`), leadOf(person))),
    locate: (ref, emails) =>
      Effect.gen(function* () {
        const wanted = new Set(emails.map((email) => email.toLowerCase()))
        if (wanted.size <= ONE_BY_ONE_MAX) {
          const found = yield* Effect.forEach([...wanted], (email) =>
            Effect.map(threads.idIn(ref, email), (id) => (id === null ? [] : [{ email, ref: id }]))
          )
          return found.flat()
        }
        const isWanted = ({ lead }: typeof Member.Type) => wanted.has(lead.email.toLowerCase())
        const all = yield* members(ref, (found) => found.filter(isWanted).length >= wanted.size)
        return all.filter(isWanted).map(({ lead: { email, id } }) => ({ email: email.toLowerCase(), ref: id }))
      }),
    everybody: (ref, cursor) =>
      Effect.gen(function* () {
        const offset = Number(cursor ?? 0)
        const rows = yield* memberPage(ref, offset)
        return {
          people: rows.map(({ lead: { custom_fields, email, id } }) => ({
            email,
            ref: id,
            holds: (person: VendorPerson) => holdsValues(fieldsOf(person), custom_fields)
          })),
          cursor: rows.length === 0 ? null : String(offset + rows.length)
        }
      }),
    withdraw: (ref, person) =>
      Effect.gen(function* () {
        const id = yield* idIn(ref, person)
        if (id === null) return
        const thread = yield* threads.of(ref, id)
        if (!thread.some(({ isReply }) => isReply)) {
          yield* remove(ref, id)
          if ((yield* idIn(ref, person)) !== null) return yield* stillThere
          return
        }
        // We can only reply to people while they are in the campaign.
        const status = Effect.map(memberWith(ref, id), (one) => one === undefined || FINAL.has(one.status ?? ""))
        if (yield* status) return
        const path = at(ref, `/${encodeURIComponent(id)}/pause`)
        yield* http.change("POST", path, {})
        if (!(yield* status)) return yield* stillThere
      }),
    forget: (ref, id) =>
      Effect.gen(function* () {
        if ((yield* memberWith(ref, id)) === undefined) return
        yield* remove(ref, id)
        if ((yield* memberWith(ref, id)) !== undefined) return yield* stillThere
      }),
    block: (email) =>
      Effect.gen(function* () {
        if (yield* isBlocked(email)) return
        const body = { domain_block_list: [email], client_id: settings.client_id }
        yield* http.change("POST", "/leads/add-domain-block-list", body)
        if (!(yield* isBlocked(email))) return yield* http.failed("transient", "it is not on the list")
      }),
    setInterest: ({ email, interest, ref }) =>
      Effect.gen(function* () {
        const id = yield* threads.idIn(ref, email)
        if (id === null) return yield* http.failed("invalid", "they are not in the campaign")
        yield* http.change("POST", at(ref, `/${encodeURIComponent(id)}/category`), {
          category_id: settings.categories[interest],
          pause_lead: false
        })
      })
  }
}
