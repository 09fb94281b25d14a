/** Salesforce's interface over a CRM's world: tokens, queries in parts, limits, leads and tasks. */
import type { Answer, Received } from "../../../vendors/Exchange.js"
import type { CrmWorld, PersonThere } from "./CrmWorld.js"
import { queryOf, type Row } from "./soqlTables.js"

const ROOT = "/services/data/v62.0"

/** Who owns what nobody else does: the integration's own user. */
const OWN_USER = "005own"

const error = (status: number, errorCode: string, message = "as scripted"): Answer => ({
  status,
  json: [{ message, errorCode }]
})

const mailOf = ({ changedMillis, mail }: PersonThere) => ({
  HasOptedOutOfEmail: mail === "opted_out",
  EmailBouncedDate: mail === "bounced" ? new Date(changedMillis).toISOString().replace("Z", "+0000") : null
})

export interface SalesforceThere {
  readonly act: (request: Received) => Answer
  /** Every token that was given is valid no longer. */
  readonly expire: () => void
  /** Tokens given. */
  readonly granted: () => number
  /** How many requests a day are allowed, and how many are left. */
  readonly daily: { Max: number; Remaining: number }
  /** Fields that the integration's user may not see: who asks for one is refused. */
  readonly hidden: Set<string>
  /** Answers to the next requests whose path ends so, instead of its own. */
  readonly instead: (pathEnd: string, ...answers: ReadonlyArray<Answer>) => void
  /** The server that answers to a token name; null: itself. */
  instance: string | null
  /** Records in one part of an answer; null: a quarter of them, and two at least. */
  partSize: number | null
}

export const makeSalesforce = (
  world: CrmWorld,
  program: { readonly clientId: string; readonly secret: string }
): SalesforceThere => {
  const leads = new Set<string>()
  const tokens = new Set<string>()
  const hidden = new Set<string>()
  const cursors = new Map<string, ReadonlyArray<Row>>()
  const scripted = new Map<string, Array<Answer>>()
  const daily = { Max: 15_000, Remaining: 14_998 }
  let given = 0

  const stampOf = (one: { readonly id: string; readonly changedMillis: number }) => ({
    Id: one.id,
    IsDeleted: world.deleted.has(one.id),
    SystemModstamp: one.changedMillis
  })

  /** A customer whose company is not known has an account of their own. */
  const accountOf = ({ companyId, id, isCustomer }: PersonThere) => {
    const company = world.companies.find((one) => one.id === companyId)
    if (company !== undefined) return company
    return isCustomer ? { id: `9${id}`, domain: "", isCustomer, ownerId: null, changedMillis: 0 } : null
  }
  const typeOf = (isCustomer: boolean) => (isCustomer ? "Customer - Direct" : "Prospect")

  const tables: Readonly<Record<string, () => ReadonlyArray<Row>>> = {
    Contact: () =>
      world
        .listed(world.persons, "with")
        .filter(({ id }) => !leads.has(id))
        .map((person) => {
          const account = accountOf(person)
          return {
            ...stampOf(person),
            Email: person.emails[0] ?? null,
            ...mailOf(person),
            OwnerId: person.ownerId ?? OWN_USER,
            AccountId: account?.id ?? null,
            Account:
              account === null ? null : { Type: typeOf(account.isCustomer), SystemModstamp: account.changedMillis }
          }
        }),
    Lead: () =>
      world
        .listed(world.persons, "with")
        .filter(({ id }) => leads.has(id))
        .map((person) => ({
          ...stampOf(person),
          Email: person.emails[0] ?? null,
          ...mailOf(person),
          OwnerId: person.ownerId ?? OWN_USER,
          Owner: { Type: person.ownerId?.startsWith("00G") === true ? "Queue" : "User" },
          IsConverted: false
        })),
    Account: () =>
      world.listed(world.companies, "with").map((company) => ({
        ...stampOf(company),
        Website: company.domain === "" ? null : `http://www.${company.domain}/`,
        Type: typeOf(company.isCustomer),
        OwnerId: company.ownerId ?? OWN_USER
      })),
    Opportunity: () =>
      world.listed(world.deals, "with").map((deal) => {
        const company = world.companies.find(({ id }) => id === deal.companyIds[0])
        const people = world.persons.filter(({ id }) => deal.personIds.includes(id))
        return {
          ...stampOf(deal),
          IsClosed: deal.status !== "open",
          IsWon: deal.status === "won",
          AccountId: company?.id ?? null,
          Account:
            company === undefined
              ? null
              : { Website: company.domain === "" ? null : company.domain, SystemModstamp: company.changedMillis },
          OpportunityContactRoles:
            people.length === 0
              ? null
              : {
                  totalSize: people.length,
                  done: true,
                  records: people.map(({ emails }) => ({ Contact: { Email: emails[0] ?? null } }))
                }
        }
      }),
    User: () =>
      world.owners.map(({ email, id, name }) => ({
        Id: id,
        Name: name,
        Email: email,
        IsActive: true,
        UserType: "Standard"
      })),
    Task: () =>
      world.notes.map(({ body, id, personId }) => ({ Id: id, WhoId: personId, Description: body, IsDeleted: false }))
  }

  const part = (rows: ReadonlyArray<Row>, from: number, cursor: string): Answer => {
    const to = from + (there.partSize ?? Math.max(2, Math.ceil(rows.length / 4)))
    const isDone = to >= rows.length
    cursors.set(cursor, rows)
    const rest = isDone ? {} : { nextRecordsUrl: `${ROOT}/query/${cursor}-${to}` }
    return { json: { totalSize: rows.length, done: isDone, ...rest, records: rows.slice(from, to) } }
  }

  const query = (soql: string, withDeleted: boolean): Answer => {
    const asked = queryOf(soql, world.isStuck)
    const table = asked === null ? undefined : tables[asked.table]
    if (asked === null || table === undefined) return error(400, "MALFORMED_QUERY", soql)
    const unseen = asked.fields.find((name) => hidden.has(name))
    if (unseen !== undefined)
      return error(400, "INVALID_FIELD", `No such column '${unseen}' on entity '${asked.table}'`)
    const rows = table().filter((row) => (withDeleted || row["IsDeleted"] !== true) && asked.where(row))
    const ordered = asked.isDescending ? rows.toReversed() : rows
    return part(ordered.slice(0, asked.limit).map(asked.select), 0, `01g${cursors.size}`)
  }

  const token = (form: URLSearchParams): Answer => {
    const isKnown =
      form.get("grant_type") === "client_credentials" &&
      form.get("client_id") === program.clientId &&
      form.get("client_secret") === program.secret
    if (!isKnown) {
      return { status: 400, json: { error: "invalid_client", error_description: "invalid client credentials" } }
    }
    given += 1
    const access_token = `00Dtoken!${given}`
    tokens.add(access_token)
    return { json: { access_token, token_type: "Bearer", issued_at: "1", instance_url: there.instance, scope: "api" } }
  }

  const add = (kind: string, body: Received["body"]): Answer => {
    if (kind === "Task") {
      const { id } = world.note(body.WhoId, body.Description, body.OwnerId ?? null)
      return { status: 201, json: { id, success: true, errors: [] } }
    }
    if (kind !== "Lead") return error(404, "NOT_FOUND")
    if (!body.LastName || !body.Company) return error(400, "REQUIRED_FIELD_MISSING")
    const name = [body.FirstName, body.LastName].filter(Boolean).join(" ")
    const { id } = world.person([body.Email], { name, ownerId: body.OwnerId ?? null })
    leads.add(id)
    return { status: 201, json: { id, success: true, errors: [] } }
  }

  const there: SalesforceThere = {
    daily,
    instance: null,
    partSize: null,
    hidden,
    granted: () => given,
    expire: () => tokens.clear(),
    instead: (pathEnd, ...answers) => void scripted.set(pathEnd, [...(scripted.get(pathEnd) ?? []), ...answers]),
    act: ({ body, headers, method, path, query: asked, text }) => {
      for (const [pathEnd, answers] of scripted) {
        const answer = path.endsWith(pathEnd) ? answers.shift() : undefined
        if (answer !== undefined) return answer
      }
      if (path === "/services/oauth2/token") return token(new URLSearchParams(text))
      const bearer = (headers["authorization"] ?? "").replace(/^Bearer /, "")
      if (!tokens.has(bearer)) return error(401, "INVALID_SESSION_ID", "Session expired or invalid")
      if (!path.startsWith(`${ROOT}/`)) return error(404, "NOT_FOUND")
      const [verb = "", kind = ""] = path.slice(ROOT.length + 1).split("/")
      if (method === "POST" && verb === "sobjects") return add(kind, body)
      if (method !== "GET") return error(405, "METHOD_NOT_ALLOWED")
      if (verb === "limits") return { json: { DailyApiRequests: daily } }
      if (verb !== "query" && verb !== "queryAll") return error(404, "NOT_FOUND")
      if (kind === "") return query(asked.get("q") ?? "", verb === "queryAll")
      const [cursor = "", from] = kind.split("-")
      const rows = cursors.get(cursor)
      return rows === undefined ? error(400, "INVALID_QUERY_LOCATOR") : part(rows, Number(from), cursor)
    }
  }
  return there
}
