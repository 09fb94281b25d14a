import type { Crm } from "@outbound/domain/wings/crm/Crm.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Option, Schema } from "effect"
import { createHash } from "node:crypto"
import { maybeTexts } from "../../../providers/shape.js"
import type { VendorHttp, VendorRequest } from "../../../providers/VendorHttp.js"
import { allListed, Emails, emailsIn, listed, quoted } from "./lists.js"

const Person = Schema.Struct({ id: Schema.String, emails: Emails })
const Note = Schema.Struct({ id: Schema.String })
/** The link from a note to its person. Newer servers say `targetPersonId`. */
const Target = Schema.Struct({
  id: Schema.String,
  ...maybeTexts("targetPersonId", "personId")
})

const FOUND_PAGES_MAX = 5

/** An id of ours, the same for the same text: it takes a second record of it off the vendor's hands. */
const idOf = (kind: "note" | "target", text: string): string => {
  const hash = createHash("sha256").update(`outbound/twenty/${kind}/${text}`).digest("hex")
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `5${hash.slice(13, 16)}`, variant + hash.slice(17, 20)]
  return [...parts, hash.slice(20, 32)].join("-")
}

/** Plain text as Markdown that shows it as it is: a reply's images and links must not come alive in the CRM. */
const markdownOf = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim().replaceAll(/[!-/:-@[-`{-~]/g, "\\$&"))
    .filter((line) => line !== "")
    .join("\n\n")

const isInvalid = ({ reason }: ProviderFailure): boolean => reason === "invalid"

export const makeNotes = (http: VendorHttp): Pick<Crm, "find" | "create" | "write" | "holds"> => {
  // The pattern may match more than the address, never less.
  const find: Crm["find"] = (email) =>
    Effect.map(
      allListed(http, "people", Person, { filter: `emails.primaryEmail[ilike]:${quoted(email)}` }, FOUND_PAGES_MAX),
      (people) =>
        Option.fromNullishOr(
          people
            .filter(({ emails }) => emailsIn(emails).some((one) => one.toLowerCase() === email.toLowerCase()))
            .map(({ id }) => id)
            .sort()[0]
        )
    )

  /** Adds it. Its answer names what was made, in a member that is called after the kind. */
  const added = (path: string, body: VendorRequest["body"]) =>
    Effect.flatMap(http.make(Schema.Struct({ data: Schema.Record(Schema.String, Note) }), path, body), ({ data }) => {
      const [made] = Object.values(data)
      return made === undefined
        ? Effect.fail(http.failed("unknown_outcome", "its answer names nothing that was made"))
        : Effect.succeed(made.id)
    })

  /** A refusal of what is there already is none. */
  const unlessThere = <A, B>(
    adding: Effect.Effect<A, ProviderFailure>,
    look: Effect.Effect<Option.Option<B>, ProviderFailure>
  ): Effect.Effect<A | B, ProviderFailure> =>
    Effect.catchIf(adding, isInvalid, (refusal) =>
      Effect.flatMap(look, (found) => Effect.mapError(Effect.fromOption(found), () => refusal))
    )

  const byId = <A, I>(kind: string, schema: Schema.Codec<A, I>, id: string) =>
    Effect.map(listed(http, kind, schema, { filter: `id[eq]:${quoted(id)}` }), ({ records }) =>
      Option.fromNullishOr(records[0])
    )

  const linked = (marker: string) => byId("noteTargets", Target, idOf("target", marker))

  return {
    find,
    // A person is owned by their company's owner, so there is nobody to name.
    create: ({ email, firstName, lastName }) =>
      unlessThere(
        added("/rest/people", {
          name: { firstName: firstName ?? "", lastName: lastName ?? "" },
          emails: { primaryEmail: email, additionalEmails: [] }
        }),
        find(email)
      ),
    // Two requests: a note that was cut off from its link is found by its id, and only linked.
    write: (personId, { marker, text }) =>
      Effect.gen(function* () {
        const noteId = idOf("note", marker)
        const note = { id: noteId, title: text.split("\n", 1)[0] ?? "", bodyV2: { markdown: markdownOf(text) } }
        yield* unlessThere(added("/rest/notes", note), byId("notes", Note, noteId))
        const link = { id: idOf("target", marker), noteId }
        const asNewer = added("/rest/noteTargets", { ...link, targetPersonId: personId })
        const asOlder = added("/rest/noteTargets", { ...link, personId })
        yield* unlessThere(
          Effect.catchIf(asNewer, isInvalid, () => asOlder),
          linked(marker)
        )
      }),
    holds: (personId, marker) =>
      Effect.map(linked(marker), (target) =>
        Option.exists(target, (one) => one.targetPersonId === personId || one.personId === personId)
      )
  }
}
