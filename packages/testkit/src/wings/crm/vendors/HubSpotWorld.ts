/** HubSpot's interface over a CRM's world: searches, batches, links, notes and owners. */
import type { Answer, Received, SentJson } from "../../../vendors/Exchange.js"
import type { CompanyThere, CrmWorld, DealThere, PersonThere } from "./CrmWorld.js"

/** Fewer than adapters ask for, as a vendor may give. */
const PAGE_MAX = 200

type Properties = Readonly<Record<string, string | null>>

interface Entry {
  readonly id: string
  readonly properties: Properties
}

/** A search with more groups of filters is refused. */
const GROUPS_MAX = 5

const personOf = ({ changedMillis, emails, id, isCustomer, mail, ownerId }: PersonThere): Entry => ({
  id,
  properties: {
    hs_object_id: id,
    email: emails[0] ?? null,
    hs_additional_emails: emails.slice(1).join(";") || null,
    lifecyclestage: isCustomer ? "customer" : "lead",
    hubspot_owner_id: ownerId,
    hs_email_optout: mail === "opted_out" ? "true" : null,
    // It says so in one of two properties: that the address is none, or what came of mail.
    hs_email_bad_address: mail === "bounced" && Number(id) % 2 === 0 ? "true" : null,
    hs_email_hard_bounce_reason_enum: mail === "bounced" && Number(id) % 2 !== 0 ? "UNKNOWN_USER" : null,
    lastmodifieddate: String(changedMillis)
  }
})

const companyOf = ({ changedMillis, domain, id, isCustomer, ownerId }: CompanyThere): Entry => ({
  id,
  properties: {
    hs_object_id: id,
    domain,
    lifecyclestage: isCustomer ? "customer" : "lead",
    hubspot_owner_id: ownerId,
    hs_lastmodifieddate: String(changedMillis)
  }
})

const dealOf = ({ changedMillis, id, status }: DealThere): Entry => ({
  id,
  properties: {
    hs_object_id: id,
    hs_is_closed: status === "open" ? "false" : "true",
    hubspot_owner_id: null,
    hs_lastmodifieddate: String(changedMillis)
  }
})

const meets = ({ properties }: Entry, { operator, propertyName, value, values }: SentJson): boolean => {
  const there = properties[propertyName] ?? null
  if (operator === "HAS_PROPERTY") return there !== null
  if (there === null) return false
  if (operator === "EQ") return there === value
  if (operator === "IN") return values.includes(there)
  if (operator === "GT") return Number(there) > Number(value)
  return operator === "GTE" && Number(there) >= Number(value)
}

/** What a contact shows of itself unless somebody asks for more. */
const CONTACT = ["email", "lastmodifieddate"]

/** Only the properties that were asked for. */
const shown = ({ id, properties }: Entry, asked: ReadonlyArray<string>) => ({
  id,
  properties: Object.fromEntries(["hs_object_id", ...asked].map((name) => [name, properties[name] ?? null])),
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  archived: false
})

const error = (status: number, message: string): Answer => ({
  status,
  json: {
    status: "error",
    message,
    category: "VALIDATION_ERROR",
    correlationId: "aeb5f871-7f07-4993-9211-075dc63e7cbf"
  }
})

const COMPLETE = {
  status: "COMPLETE",
  startedAt: "2026-01-01T00:00:00.000Z",
  completedAt: "2026-01-01T00:00:00.000Z"
} as const

export const hubspotOver = (world: CrmWorld, token: string): ((request: Received) => Answer) => {
  const entriesOf = (kind: string): ReadonlyArray<Entry> => {
    if (kind === "contacts") return world.listed(world.persons).map(personOf)
    return kind === "companies" ? world.listed(world.companies).map(companyOf) : world.listed(world.deals).map(dealOf)
  }

  const search = (kind: string, body: SentJson): Answer => {
    const groups: ReadonlyArray<SentJson> = body.filterGroups
    if (groups.length > GROUPS_MAX) return error(400, "too many filter groups")
    const found = entriesOf(kind).filter((entry) =>
      groups.some(({ filters }) =>
        filters.every((filter: SentJson) => (world.isStuck && filter.operator === "GT") || meets(entry, filter))
      )
    )
    return {
      json: {
        total: found.length,
        results: found.slice(0, Math.min(body.limit, PAGE_MAX)).map((one) => shown(one, body.properties))
      }
    }
  }

  const batch = (kind: string, body: SentJson): Answer => {
    const ids = new Set<string>(body.inputs.map(({ id }: SentJson) => id))
    if (ids.size > 100) return error(400, "too many inputs")
    const entries: ReadonlyArray<Entry> =
      kind === "notes"
        ? world.notes.map(({ body: text, id }) => ({ id, properties: { hs_note_body: text } }))
        : entriesOf(kind)
    return {
      json: { ...COMPLETE, results: entries.filter(({ id }) => ids.has(id)).map((one) => shown(one, body.properties)) }
    }
  }

  const links = (to: string, body: SentJson): Answer => ({
    json: {
      ...COMPLETE,
      results: body.inputs.flatMap(({ id }: SentJson) => {
        const deal = world.deals.find((one) => one.id === id)
        const ids = (to === "contacts" ? deal?.personIds : deal?.companyIds) ?? []
        if (ids.length === 0) return []
        return [{ from: { id }, to: ids.map((toObjectId) => ({ toObjectId, associationTypes: [] })) }]
      })
    }
  })

  const contact = (email: string): Answer => {
    const found = world.personWith(email)
    return found === undefined ? error(404, "resource not found") : { json: shown(personOf(found), CONTACT) }
  }

  const add = (kind: string, { associations, properties }: SentJson): Answer => {
    if (kind === "notes") {
      const { id } = world.note(associations[0].to.id, properties.hs_note_body, properties.hubspot_owner_id ?? null)
      return {
        status: 201,
        json: shown({ id, properties: { hs_note_body: properties.hs_note_body } }, ["hs_note_body"])
      }
    }
    if (world.personWith(properties.email) !== undefined) return error(409, "Contact already exists.")
    const name = [properties.firstname, properties.lastname].filter(Boolean).join(" ")
    const person = world.person([properties.email], { name, ownerId: properties.hubspot_owner_id ?? null })
    return { status: 201, json: shown(personOf(person), CONTACT) }
  }

  return ({ body, headers, method, path, query }) => {
    if (headers["authorization"] !== `Bearer ${token}`) return error(401, "Authentication credentials not found.")
    const [, , version, root, kind = "", id = "", action = "", to = ""] = path.split("/")
    if (version === "v3" && root === "owners") {
      const results = world.owners.map(({ email, id: owner, name }) => ({
        id: owner,
        email,
        firstName: name,
        lastName: ""
      }))
      return { json: { results } }
    }
    if (version === "v4" && root === "associations") return links(id, body)
    if (version === "v4" && action === "associations" && to === "notes") {
      const results = world.notes.filter(({ personId }) => personId === id)
      return { json: { results: results.map((note) => ({ toObjectId: note.id, associationTypes: [] })) } }
    }
    if (version !== "v3" || root !== "objects") return error(404, "no such path")
    if (method === "POST" && id === "search") return search(kind, body)
    if (method === "POST" && id === "batch") return batch(kind, body)
    if (method === "POST" && id === "") return add(kind, body)
    if (method === "GET" && kind === "contacts" && query.get("idProperty") === "email") {
      return contact(decodeURIComponent(id))
    }
    return error(404, "no such path")
  }
}
