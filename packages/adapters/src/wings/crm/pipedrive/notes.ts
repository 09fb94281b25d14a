import type { Crm } from "@outbound/domain/wings/crm/Crm.js"
import { Effect, Option, Schema } from "effect"
import { Id, listOf, maybe } from "../../../providers/shape.js"
import type { VendorHttp } from "../../../providers/VendorHttp.js"
import { htmlOf } from "../CrmHttp.js"

const Found = Schema.Struct({
  data: Schema.Struct({
    items: Schema.Array(Schema.Struct({ item: Schema.Struct({ id: Id, emails: listOf(Schema.String) }) }))
  })
})
const Added = Schema.Struct({ data: Schema.Struct({ id: Id }) })
const Notes = Schema.Struct({
  data: listOf(Schema.Struct({ content: maybe(Schema.String) })),
  additional_data: maybe(
    Schema.Struct({
      pagination: maybe(Schema.Struct({ more_items_in_collection: maybe(Schema.Boolean) }))
    })
  )
})

const NOTES_PAGE = 100
const NOTE_PAGES_MAX = 20

/** Its ids are numbers. */
const numberOf = (ref: string): number => Number(ref)

export const makeNotes = (http: VendorHttp): Pick<Crm, "find" | "create" | "write" | "holds"> => ({
  // The first of several: the lowest id stays the same if somebody adds another.
  find: (email) =>
    Effect.map(
      http.get(Found, "/api/v2/persons/search", { term: email, fields: "email", exact_match: "true", limit: 100 }),
      ({ data }) => {
        const ids = data.items
          .filter(({ item }) => item.emails.length === 0 || item.emails.some((one) => one.toLowerCase() === email))
          .map(({ item }) => numberOf(item.id))
        return ids.length === 0 ? Option.none() : Option.some(String(Math.min(...ids)))
      }
    ),
  create: ({ email, firstName, lastName }, ownerRef) =>
    Effect.map(
      http.make(Added, "/api/v2/persons", {
        name: [firstName, lastName].filter((part) => part !== null).join(" ") || email,
        emails: [{ value: email, primary: true, label: "work" }],
        ...(ownerRef === null ? {} : { owner_id: numberOf(ownerRef) })
      }),
      ({ data }) => data.id
    ),
  write: (personId, { text }) =>
    Effect.asVoid(http.make(Added, "/v1/notes", { content: htmlOf(text), person_id: numberOf(personId) })),
  holds: (personId, marker) =>
    Effect.gen(function* () {
      for (let page = 0; page < NOTE_PAGES_MAX; page += 1) {
        const { additional_data, data } = yield* http.get(Notes, "/v1/notes", {
          person_id: numberOf(personId),
          start: page * NOTES_PAGE,
          limit: NOTES_PAGE,
          sort: "id DESC"
        })
        if (data.some(({ content }) => content?.includes(marker) === true)) return true
        if (additional_data?.pagination?.more_items_in_collection !== true) return false
      }
      return yield* http.failed("transient", "it lists notes without an end")
    })
})
