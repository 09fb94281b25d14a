import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { Crm, CrmRecord } from "@outbound/domain/wings/crm/Crm.js"
import { Effect, Schema } from "effect"
import { Id, listOf, maybe, maybeTexts } from "../../../providers/shape.js"
import type { VendorHttp } from "../../../providers/VendorHttp.js"
import { chunksOf, filledFields, NOTHING, pagesOf } from "../CrmHttp.js"

const LIMIT = 100

/** Most persons that one request reads by id. */
const BATCH_MAX = 100

const more = maybe(Schema.Struct({ next_cursor: maybe(Schema.String) }))

const Person = Schema.Struct({
  id: Id,
  owner_id: maybe(Id),
  is_deleted: maybe(Schema.Boolean),
  marketing_status: maybe(Schema.String),
  emails: listOf(Schema.Struct({ value: maybe(Schema.String) }))
})
const Persons = Schema.Struct({ data: listOf(Person), additional_data: more })

const Deal = Schema.Struct({
  id: Id,
  status: maybe(Schema.String),
  is_deleted: maybe(Schema.Boolean),
  person_id: maybe(Id)
})
const Deals = Schema.Struct({ data: listOf(Deal), additional_data: more })

const Users = Schema.Struct({
  data: listOf(
    Schema.Struct({
      id: Id,
      ...maybeTexts("name", "email"),
      active_flag: maybe(Schema.Boolean)
    })
  )
})

const emailsOf = ({ emails }: typeof Person.Type): ReadonlyArray<string> =>
  emails.flatMap(({ value }) => (value === null || value === "" ? [] : [value]))

/** Only accounts with its marketing product have it, and may ask for it. */
const NOES = ["marketing_status"] as const

/** Its times are written to the second. */
const timeOf = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19)}Z`

/** An open deal, and a won one, say of their person how they stand; the person says who owns them. */
export const makePages = (http: VendorHttp): Crm["page"] => {
  const paged = (
    kind: "deals" | "persons",
    after: string | null,
    sinceMillis: number | null,
    also: Readonly<Record<string, string>> = {}
  ) => ({
    method: "GET" as const,
    path: `/api/v2/${kind}`,
    query: {
      ...also,
      limit: LIMIT,
      cursor: after,
      updated_since: sinceMillis === null ? null : timeOf(sinceMillis),
      sort_by: "id",
      sort_direction: "asc"
    }
  })

  const personsOf = (deals: ReadonlyArray<typeof Deal.Type>) =>
    Effect.map(
      Effect.forEach(chunksOf([...new Set(deals.flatMap(({ person_id }) => person_id ?? []))], BATCH_MAX), (ids) =>
        http.get(Persons, "/api/v2/persons", { ids: ids.join(","), limit: BATCH_MAX })
      ),
      (answers) => new Map(answers.flatMap(({ data }) => data).map((person) => [person.id, person]))
    )

  const deals = (after: string | null, sinceMillis: number | null) =>
    Effect.gen(function* () {
      const { additional_data, data } = yield* http.read(Deals, paged("deals", after, sinceMillis))
      const matters = data.filter(
        ({ is_deleted, status }) => is_deleted !== true && (status === "open" || status === "won")
      )
      const persons = yield* personsOf(matters)
      const records = data.map(({ id, person_id, status }): CrmRecord => {
        const isMatter = matters.some((deal) => deal.id === id)
        const person = isMatter && person_id !== null ? persons.get(person_id) : undefined
        const standing = { isCustomer: isMatter && status === "won", hasOpenDeal: isMatter && status === "open" }
        return { ...NOTHING, ref: `deal:${id}`, emails: person === undefined ? [] : emailsOf(person), ...standing }
      })
      return { records, next: additional_data?.next_cursor || null }
    })

  /** An account that may not ask for what its persons say of mail has no such thing. */
  const asked = (after: string | null, sinceMillis: number | null) => {
    const withNoes = http.read(Persons, paged("persons", after, sinceMillis, { include_fields: NOES.join(",") }))
    const without = http.read(Persons, paged("persons", after, sinceMillis))
    return Effect.catchIf(
      withNoes,
      ({ reason }: ProviderFailure) => reason === "invalid" || reason === "account",
      () => without
    )
  }

  const persons = (after: string | null, sinceMillis: number | null) =>
    Effect.map(asked(after, sinceMillis), ({ additional_data, data }) => ({
      records: data.map((person): CrmRecord => {
        const ref = `person:${person.id}`
        if (person.is_deleted === true) return { ...NOTHING, ref }
        const said = { ownerRef: person.owner_id, fields: filledFields(person, NOES) }
        return { ...NOTHING, ref, emails: emailsOf(person), ...said }
      }),
      next: additional_data?.next_cursor || null
    }))

  return pagesOf(http, { deals, persons })
}

export const makeOwners = (http: VendorHttp): Crm["owners"] =>
  Effect.map(http.get(Users, "/v1/users"), ({ data }) =>
    data
      .filter(({ active_flag }) => active_flag !== false)
      .map(({ email, id, name }) => ({ ref: id, email, name: name || (email ?? id) }))
  )
