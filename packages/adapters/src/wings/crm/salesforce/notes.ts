import type { Crm } from "@outbound/domain/wings/crm/Crm.js"
import { Effect, Option, Schema } from "effect"
import { maybe } from "../../../providers/shape.js"
import type { VendorHttp } from "../../../providers/VendorHttp.js"
import { moment, queried, quoted, ROOT } from "./soql.js"

const Found = Schema.Struct({ Id: Schema.String })
const Made = Schema.Struct({ id: Schema.String })
const Task = Schema.Struct({ Description: maybe(Schema.String) })

/** A person's newest tasks among which a note of ours is looked for. It is a week old at most. */
const TASKS_MAX = 2_000
const PARTS_MAX = 20

const SUBJECT_CHARS_MAX = 255

export const makeNotes = (http: VendorHttp): Pick<Crm, "find" | "create" | "write" | "holds"> => {
  const first = (soql: string) =>
    Effect.map(queried(http, Found, `${soql} ORDER BY CreatedDate, Id LIMIT 1`, { partsMax: 1 }), ([one]) =>
      Option.map(Option.fromNullishOr(one), ({ Id }) => Id)
    )

  /** A contact, or else a lead that did not become one yet. The oldest stays the same if somebody adds another. */
  const find: Crm["find"] = (email) =>
    Effect.gen(function* () {
      const contact = yield* first(`SELECT Id FROM Contact WHERE Email = ${quoted(email)}`)
      if (Option.isSome(contact)) return contact
      return yield* first(`SELECT Id FROM Lead WHERE Email = ${quoted(email)} AND IsConverted = false`)
    })

  return {
    find,
    /** A lead: a contact would need the record of an account. */
    create: ({ companyName, email, firstName, lastName }, ownerRef) => {
      const [local = email, domain = email] = email.split("@")
      return Effect.map(
        http.read(Made, {
          method: "POST",
          path: `${ROOT}/sobjects/Lead`,
          hasEffect: true,
          // Nobody has the address: a rule that only warns of likeness may not keep the person out.
          headers: { "Sforce-Duplicate-Rule-Header": "allowSave=true" },
          body: {
            LastName: lastName ?? firstName ?? local,
            ...(firstName === null || lastName === null ? {} : { FirstName: firstName }),
            Email: email,
            Company: companyName ?? domain,
            ...(ownerRef === null ? {} : { OwnerId: ownerRef })
          }
        }),
        ({ id }) => id
      )
    },
    write: (personId, { atMillis, ownerRef, text }) =>
      Effect.asVoid(
        http.make(Made, `${ROOT}/sobjects/Task`, {
          WhoId: personId,
          Subject: (text.split("\n", 1)[0] ?? "").slice(0, SUBJECT_CHARS_MAX),
          Description: text,
          Status: "Completed",
          ActivityDate: moment(atMillis).slice(0, 10),
          ...(ownerRef === null ? {} : { OwnerId: ownerRef })
        })
      ),
    // The description can't be searched, and the search's index would be late.
    holds: (personId, marker) =>
      Effect.map(
        queried(
          http,
          Task,
          `SELECT Description FROM Task WHERE WhoId = ${quoted(personId)} ORDER BY CreatedDate DESC LIMIT ${TASKS_MAX}`,
          { partsMax: PARTS_MAX }
        ),
        (tasks) => tasks.some(({ Description }) => Description?.includes(marker) === true)
      )
  }
}
