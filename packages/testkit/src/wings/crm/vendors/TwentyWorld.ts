/** Twenty's interface over a CRM's world: lists with filters, people, notes and their links. */
import type { Answer, Received } from "../../../vendors/Exchange.js"
import type { CrmWorld, DealThere, PersonThere } from "./CrmWorld.js"

/** A small page, whatever is asked for. */
const PAGE = 3

type Entry = Readonly<Record<string, unknown>> & { readonly id: string }

const STAGES: Readonly<Record<DealThere["status"], string>> = { open: "SCREENING", won: "CUSTOMER", lost: "LOST" }

const error = (status: number, message: string): Answer => ({
  status,
  json: { statusCode: status, error: status === 401 ? "UNAUTHENTICATED" : "BadRequestException", messages: [message] }
})

const valueAt = (entry: Entry, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name] ?? null, entry)

const unquoted = (text: string): string => text.replace(/^"(.*)"$/s, "$1")

/** One condition. Null: it names no field, or no operator, that is there. */
const meets = (condition: string, fields: ReadonlySet<string>): ((entry: Entry) => boolean) | null => {
  const found = /^([\w.]+)\[(\w+)\]:(.+)$/s.exec(condition)
  if (found === null) return null
  const [, path = "", operator = "", text = ""] = found
  if (!fields.has(path.split(".")[0] ?? "")) return null
  const wanted = unquoted(text)
  if (operator === "eq") return (entry) => valueAt(entry, path) === wanted
  if (operator === "gte") return (entry) => String(valueAt(entry, path) ?? "") >= wanted
  if (operator === "in") {
    const all = text.slice(1, -1).split(",").map(unquoted)
    return (entry) => all.includes(String(valueAt(entry, path)))
  }
  if (operator !== "ilike") return null
  const pattern = wanted
    .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("_", ".")
    .replaceAll("%", ".*")
  return (entry) => new RegExp(`^${pattern}$`, "is").test(String(valueAt(entry, path) ?? ""))
}

export interface TwentyThere {
  readonly act: (request: Received) => Answer
  /** Notes, linked to somebody or not. */
  readonly notes: ReadonlyMap<string, { readonly title: string; readonly markdown: string }>
  /** A server whose links name their person as older ones do. */
  isOlder: boolean
}

export const makeTwenty = (world: CrmWorld, key: string): TwentyThere => {
  const notes = new Map<string, { readonly title: string; readonly markdown: string }>()
  const targets: Array<Entry> = []

  const timesOf = ({ changedMillis, id }: { readonly id: string; readonly changedMillis: number }) => {
    const at = new Date(changedMillis).toISOString()
    // Deleting leaves the time of the last change as it was.
    return world.deleted.has(id)
      ? { updatedAt: "2020-01-01T00:00:00.000Z", deletedAt: at }
      : { updatedAt: at, deletedAt: null }
  }

  /** People are owned with their company. */
  const companyOfPerson = ({ companyId, id, ownerId }: PersonThere): Entry | null => {
    const company = companies().find((one) => one.id === companyId)
    if (company !== undefined) return company
    return ownerId === null ? null : { id: `c${id}`, deletedAt: null, accountOwnerId: ownerId, domainName: null }
  }
  const companies = (): ReadonlyArray<Entry> =>
    world.listed(world.companies, "with").map((company) => ({
      id: company.id,
      ...timesOf(company),
      accountOwnerId: company.ownerId,
      domainName: { primaryLinkLabel: "", primaryLinkUrl: company.domain === "" ? null : `https://${company.domain}` }
    }))
  const people = (): ReadonlyArray<Entry> =>
    world.listed(world.persons, "with").map((person) => {
      const company = companyOfPerson(person)
      return {
        id: person.id,
        ...timesOf(person),
        name: { firstName: person.name, lastName: "" },
        emails: { primaryEmail: person.emails[0] ?? "", additionalEmails: person.emails.slice(1) },
        // Fields that its workspace made.
        emailOptOut: person.mail === "opted_out",
        mailStatus: person.mail === "bounced" ? ["BOUNCED"] : null,
        companyId: company?.id ?? null,
        company
      }
    })
  const kinds: Readonly<Record<string, () => ReadonlyArray<Entry>>> = {
    people,
    companies,
    opportunities: () =>
      world.listed(world.deals, "with").map((deal) => ({
        id: deal.id,
        ...timesOf(deal),
        stage: STAGES[deal.status],
        pointOfContact: people().find(({ id }) => id === deal.personIds[0]) ?? null,
        company: companies().find(({ id }) => id === deal.companyIds[0]) ?? null
      })),
    workspaceMembers: () =>
      world.owners.map(({ email, id, name }) => ({ id, name: { firstName: name, lastName: "" }, userEmail: email })),
    notes: () => [...notes.keys()].map((id) => ({ id })),
    noteTargets: () => targets
  }

  const relationless = ({ company: _company, pointOfContact: _contact, ...rest }: Entry) => rest

  const list = (kind: string, query: URLSearchParams): Answer => {
    const filter = query.get("filter") ?? ""
    const isEither = filter.startsWith("or(")
    const conditions = filter === "" ? [] : isEither ? filter.slice(3, -1).split(",") : [filter]
    const fields = new Set(["id", "updatedAt", "deletedAt", "emails", "companyId"])
    const tests = conditions.map((condition) => meets(condition, fields))
    if (tests.includes(null)) return error(400, `'filter' invalid for '${filter}'`)
    const all = (kinds[kind] ?? (() => []))().filter(
      (entry) =>
        (filter.includes("deletedAt") || (entry["deletedAt"] ?? null) === null) &&
        (tests.length === 0 || (isEither ? tests.some((test) => test?.(entry)) : tests.every((test) => test?.(entry))))
    )
    const after = query.get("starting_after")
    const from = after === null ? 0 : Number(Buffer.from(after, "base64").toString())
    const to = world.isStuck ? from : from + Math.min(PAGE, Number(query.get("limit") ?? PAGE))
    const hasNextPage = world.isStuck || to < all.length
    const endCursor = Buffer.from(String(to)).toString("base64")
    const page = all.slice(from, from + PAGE)
    const records = query.get("depth") === "1" ? page : page.map(relationless)
    return { json: { data: { [kind]: records }, totalCount: all.length, pageInfo: { hasNextPage, endCursor } } }
  }

  const add = (kind: string, body: Received["body"]): Answer => {
    const made = (name: string, id: string): Answer => ({ status: 201, json: { data: { [`create${name}`]: { id } } } })
    if (kind === "people") {
      const { additionalEmails, primaryEmail } = body.emails
      if (world.personWith(primaryEmail) !== undefined) return error(400, "A duplicate entry was detected")
      const name = [body.name.firstName, body.name.lastName].filter(Boolean).join(" ")
      return made("Person", world.person([primaryEmail, ...additionalEmails], { name }).id)
    }
    if (kind === "notes") {
      if (notes.has(body.id)) return error(400, "duplicate key value violates unique constraint")
      notes.set(body.id, { title: body.title, markdown: body.bodyV2.markdown })
      return made("Note", body.id)
    }
    if (kind !== "noteTargets") return error(404, "no such object")
    const [known, unknown] = there.isOlder ? ["personId", "targetPersonId"] : ["targetPersonId", "personId"]
    if (unknown in body) return error(400, `Object noteTarget doesn't have any "${unknown}" field.`)
    if (targets.some(({ id }) => id === body.id)) return error(400, "duplicate key value violates unique constraint")
    targets.push({ id: body.id, noteId: body.noteId, [known]: body[known] })
    world.note(body[known], notes.get(body.noteId)?.markdown ?? "", null)
    return made("NoteTarget", body.id)
  }

  const there: TwentyThere = {
    notes,
    isOlder: false,
    act: ({ body, headers, method, path, query }) => {
      if (headers["authorization"] !== `Bearer ${key}`) return error(401, "Token invalid.")
      const [, rest, kind = "", id] = path.split("/")
      if (rest !== "rest" || id !== undefined || kinds[kind] === undefined) return error(404, "no such path")
      if (method === "GET") return list(kind, query)
      return method === "POST" ? add(kind, body) : error(405, "no such method")
    }
  }
  return there
}
