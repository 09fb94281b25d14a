/** Pipedrive's interface over a CRM's world: deals, persons and users of both its versions, and notes. */
import type { Answer, Received } from "../../../vendors/Exchange.js"
import type { CrmWorld, DealThere, PersonThere } from "./CrmWorld.js"

/** Everybody's until they say something else. */
const STATUSES = { opted_out: "unsubscribed", bounced: "bounced", none: "no_consent" } as const

const personOf = ({ emails, id, name, ownerId }: PersonThere) => ({
  id: Number(id),
  name,
  owner_id: ownerId === null ? null : Number(ownerId),
  is_deleted: false,
  emails: emails.map((value, index) => ({ value, primary: index === 0, label: "work" }))
})

const dealOf = ({ id, personIds, status }: DealThere) => ({
  id: Number(id),
  title: "A deal",
  status,
  is_deleted: false,
  person_id: personIds[0] === undefined ? null : Number(personIds[0])
})

const error = (status: number, text: string): Answer => ({ status, json: { success: false, error: text } })

/** A small page, whatever is asked for. */
const PAGE = 2

/** `marketing`: whether the account has the product for it. Without it, who asks for its field is refused so, or gets none. */
export const pipedriveOver = (
  world: CrmWorld,
  token: string,
  marketing: "has" | "refused" | "silent" = "has"
): ((request: Received) => Answer) => {
  const withStatus = (person: PersonThere) => ({
    ...personOf(person),
    marketing_status: STATUSES[person.mail ?? "none"]
  })

  const page = <A extends { readonly id: string; readonly changedMillis: number }>(
    all: ReadonlyArray<A>,
    query: URLSearchParams,
    shown: (one: A) => object
  ): Answer => {
    const since = Date.parse(query.get("updated_since") ?? "1970-01-01T00:00:00Z")
    const found = world.listed(all).filter(({ changedMillis }) => changedMillis >= since)
    const from = Number(query.get("cursor") ?? 0)
    const to = world.isStuck ? from : from + PAGE
    const next = world.isStuck || to < found.length ? String(to) : null
    return {
      json: {
        success: true,
        data: found.slice(from, from + PAGE).map(shown),
        additional_data: { next_cursor: next }
      }
    }
  }

  return ({ body, headers, method, path, query }) => {
    if (headers["x-api-token"] !== token) return error(401, "unauthorized access")
    const ids = query.get("ids")?.split(",")
    switch (`${method} ${path}`) {
      case "GET /api/v2/deals":
        return page(world.deals, query, dealOf)
      case "GET /api/v2/persons": {
        const isAsked = query.get("include_fields")?.split(",").includes("marketing_status") === true
        if (isAsked && marketing === "refused") return error(400, "marketing_status can't be included")
        return ids === undefined
          ? page(world.persons, query, isAsked && marketing === "has" ? withStatus : personOf)
          : { json: { success: true, data: world.persons.filter(({ id }) => ids.includes(id)).map(personOf) } }
      }
      case "GET /api/v2/persons/search": {
        const term = (query.get("term") ?? "").toLowerCase()
        const found = world
          .listed(world.persons)
          .filter(({ emails }) => emails.some((one) => one.toLowerCase() === term))
        const items = found.map(({ emails, id, name }) => ({
          result_score: 1,
          item: { id: Number(id), type: "person", name, emails }
        }))
        return { json: { success: true, data: { items }, additional_data: { next_cursor: null } } }
      }
      case "POST /api/v2/persons": {
        const ownerId = body.owner_id === undefined ? null : String(body.owner_id)
        const person = world.person([body.emails[0].value], { name: body.name, ownerId })
        return { status: 201, json: { success: true, data: personOf(person) } }
      }
      case "GET /v1/users":
        return {
          json: {
            success: true,
            data: world.owners.map(({ email, id, name }) => ({ id: Number(id), name, email, active_flag: true }))
          }
        }
      case "GET /v1/notes": {
        const all = world.notes.filter(({ personId }) => personId === query.get("person_id")).toReversed()
        const start = Number(query.get("start") ?? 0)
        const data = all.slice(start, start + 100).map(({ body: content, id, personId }) => ({
          id: Number(id),
          content,
          person_id: Number(personId)
        }))
        const more_items_in_collection = start + 100 < all.length
        return {
          json: {
            success: true,
            data,
            additional_data: { pagination: { start, limit: 100, more_items_in_collection } }
          }
        }
      }
      case "POST /v1/notes": {
        const note = world.note(String(body.person_id), body.content, null)
        return { status: 201, json: { success: true, data: { id: Number(note.id), content: note.body } } }
      }
      default:
        return error(404, "not found")
    }
  }
}
