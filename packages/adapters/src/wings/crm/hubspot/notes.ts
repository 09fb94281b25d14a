import { isNotFound } from "../../../providers/classify.js"
import type { Crm } from "@outbound/domain/wings/crm/Crm.js"
import { Effect, Option, Schema } from "effect"
import { Id, maybe } from "../../../providers/shape.js"
import type { VendorHttp } from "../../../providers/VendorHttp.js"
import { chunksOf, htmlOf } from "../CrmHttp.js"

const Contact = Schema.Struct({ id: Id })
const NoteIds = Schema.Struct({
  results: Schema.Array(Schema.Struct({ toObjectId: Id })),
  paging: maybe(Schema.Struct({ next: maybe(Schema.Struct({ after: Schema.String })) }))
})
const Notes = Schema.Struct({
  results: Schema.Array(Schema.Struct({ properties: Schema.Record(Schema.String, Schema.NullOr(Schema.String)) }))
})

/** What the vendor calls the link from a note to its contact. */
const NOTE_TO_CONTACT = 202

const NOTES_PAGE = 500
const NOTE_PAGES_MAX = 10
const BATCH_MAX = 100

export const makeNotes = (http: VendorHttp): Pick<Crm, "find" | "create" | "write" | "holds"> => {
  const find: Crm["find"] = (email) =>
    http
      .get(Contact, `/crm/v3/objects/contacts/${encodeURIComponent(email)}`, {
        idProperty: "email",
        properties: "email"
      })
      .pipe(
        Effect.map(({ id }) => Option.some(id)),
        Effect.catchIf(isNotFound, () => Effect.succeedNone)
      )

  /** HubSpot keeps one contact for an address, so one that somebody else added meanwhile is the same person. */
  const create: Crm["create"] = ({ companyName, email, firstName, lastName }, ownerRef) =>
    http
      .make(Contact, "/crm/v3/objects/contacts", {
        properties: {
          email,
          ...(firstName === null ? {} : { firstname: firstName }),
          ...(lastName === null ? {} : { lastname: lastName }),
          ...(companyName === null ? {} : { company: companyName }),
          ...(ownerRef === null ? {} : { hubspot_owner_id: ownerRef })
        },
        associations: []
      })
      .pipe(
        Effect.map(({ id }) => id),
        Effect.catchIf(
          ({ cause, reason }) => reason === "invalid" && String(cause).startsWith("status 409"),
          (conflict) =>
            Effect.flatMap(find(email), (found) => Effect.mapError(Effect.fromOption(found), () => conflict))
        )
      )

  const bodiesOf = (ids: ReadonlyArray<string>) =>
    Effect.map(
      Effect.forEach(chunksOf(ids, BATCH_MAX), (chunk) =>
        http.ask(Notes, "/crm/v3/objects/notes/batch/read", {
          inputs: chunk.map((id) => ({ id })),
          properties: ["hs_note_body"],
          propertiesWithHistory: []
        })
      ),
      (answers) => answers.flatMap(({ results }) => results.map(({ properties }) => properties["hs_note_body"] ?? ""))
    )

  return {
    find,
    create,
    write: (contactId, { atMillis, ownerRef, text }) =>
      Effect.asVoid(
        http.make(Contact, "/crm/v3/objects/notes", {
          properties: {
            hs_timestamp: new Date(atMillis).toISOString(),
            hs_note_body: htmlOf(text),
            ...(ownerRef === null ? {} : { hubspot_owner_id: ownerRef })
          },
          associations: [
            {
              to: { id: contactId },
              types: [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId: NOTE_TO_CONTACT }]
            }
          ]
        })
      ),
    // By the contact's own links: the search learns of a new note too late.
    holds: (contactId, marker) =>
      Effect.gen(function* () {
        let after: string | null = null
        for (let pages = 0; pages < NOTE_PAGES_MAX; pages += 1) {
          const page: typeof NoteIds.Type = yield* http.get(
            NoteIds,
            `/crm/v4/objects/contacts/${encodeURIComponent(contactId)}/associations/notes`,
            { limit: NOTES_PAGE, after }
          )
          const bodies = yield* bodiesOf(page.results.map(({ toObjectId }) => toObjectId))
          if (bodies.some((body) => body.includes(marker))) return true
          const next: string | null = page.paging?.next?.after ?? null
          if (next === null) return false
          if (next === after) break
          after = next
        }
        return yield* http.failed("transient", "it lists notes without an end")
      })
  }
}
