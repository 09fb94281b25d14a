import type { Crm, CrmRecord } from "@outbound/domain/wings/crm/Crm.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Array, Effect, Schema } from "effect"
import { maybe, maybeTexts } from "../../../providers/shape.js"
import type { VendorHttp } from "../../../providers/VendorHttp.js"
import { chunksOf, domainOf, filledFields, NOTHING, pagesOf } from "../CrmHttp.js"
import { moment, queried, quoted, ROOT } from "./soql.js"

type Kind = "contacts" | "leads" | "accounts" | "opportunities"

/** Most records of a page, and most parts that the vendor may cut it into. */
const LIMIT = 200
const PARTS_MAX = 20

/** Most accounts whose people one query reads. */
const ACCOUNTS_MAX = 100

/** Nothing is read while less than this share of the day's requests is left: the account's other programs need them. */
const LEFT_PERCENT_MIN = 5
const WAIT_SECONDS = 60 * 60

const Id = Schema.String
const flag = Schema.NullOr(Schema.Boolean).pipe(Schema.withDecodingDefault(Effect.succeed(false)))
const common = { Id, IsDeleted: flag, OwnerId: maybe(Schema.String) }

/** Who opted out of email, and since when mail came back for good. */
const NOES = ["HasOptedOutOfEmail", "EmailBouncedDate"] as const
const noes = { HasOptedOutOfEmail: flag, EmailBouncedDate: maybe(Schema.String) }

const Contact = Schema.Struct({
  ...common,
  ...noes,
  ...maybeTexts("Email", "AccountId"),
  Account: maybe(Schema.Struct({ Type: maybe(Schema.String) }))
})
const Lead = Schema.Struct({
  ...common,
  ...noes,
  Email: maybe(Schema.String),
  IsConverted: flag,
  Owner: maybe(Schema.Struct({ Type: maybe(Schema.String) }))
})
const Account = Schema.Struct({ ...common, Website: maybe(Schema.String), Type: maybe(Schema.String) })
const Opportunity = Schema.Struct({
  Id,
  IsDeleted: flag,
  IsClosed: flag,
  IsWon: flag,
  AccountId: maybe(Schema.String),
  Account: maybe(Schema.Struct({ Website: maybe(Schema.String) })),
  OpportunityContactRoles: maybe(
    Schema.Struct({
      records: Schema.Array(Schema.Struct({ Contact: maybe(Schema.Struct({ Email: maybe(Schema.String) })) }))
    })
  )
})
const Of = Schema.Struct({ AccountId: maybe(Schema.String), Email: maybe(Schema.String) })
const User = Schema.Struct({ Id, Name: maybe(Schema.String), Email: maybe(Schema.String) })
const Limits = Schema.Struct({
  DailyApiRequests: maybe(Schema.Struct({ Max: Schema.Number, Remaining: Schema.Number }))
})

interface Query {
  readonly select: string
  /** Those that matter, where everything is read. */
  readonly matters: string
  /** Another record whose changes change this one's. */
  readonly also?: string
}

const QUERIES: Readonly<Record<Kind, Query>> = {
  contacts: {
    select: `SELECT Id, IsDeleted, Email, OwnerId, AccountId, Account.Type, ${NOES.join(", ")} FROM Contact`,
    matters: "Email != null",
    also: "Account.SystemModstamp"
  },
  leads: {
    select: `SELECT Id, IsDeleted, Email, OwnerId, Owner.Type, IsConverted, ${NOES.join(", ")} FROM Lead`,
    matters: "Email != null AND IsConverted = false"
  },
  accounts: { select: "SELECT Id, IsDeleted, Website, Type, OwnerId FROM Account", matters: "Id != null" },
  opportunities: {
    select:
      "SELECT Id, IsDeleted, IsClosed, IsWon, AccountId, Account.Website, (SELECT Contact.Email FROM OpportunityContactRoles) FROM Opportunity",
    matters: "(IsClosed = false OR IsWon = true)",
    also: "Account.SystemModstamp"
  }
}

const isCustomer = (type: string | null | undefined): boolean => (type ?? "").toLowerCase().startsWith("customer")
const emailsIn = (...emails: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> =>
  emails.filter((email): email is string => typeof email === "string" && email !== "")
const domainsIn = (website: string | null | undefined): ReadonlyArray<string> => {
  const domain = domainOf(website ?? null)
  return domain === null ? [] : [domain]
}

/** Pages in the order of ids, each after the last id of the one before: no place there runs out, and no page is skipped. */
export const makePages = (http: VendorHttp): Crm["page"] => {
  const found = <A extends { readonly Id: string }, I>(
    kind: Kind,
    record: Schema.Codec<A, I>,
    after: string | null,
    sinceMillis: number | null
  ) => {
    const { also, matters, select } = QUERIES[kind]
    const since = sinceMillis === null ? "" : moment(sinceMillis)
    const changed = ["SystemModstamp", ...(also === undefined ? [] : [also])].map((stamp) => `${stamp} >= ${since}`)
    const wanted = sinceMillis === null ? matters : `(${changed.join(" OR ")})`
    const behind = after === null ? "" : ` AND Id > ${quoted(after)}`
    return Effect.map(
      queried(http, record, `${select} WHERE ${wanted}${behind} ORDER BY Id LIMIT ${LIMIT}`, {
        partsMax: PARTS_MAX,
        withDeleted: sinceMillis !== null
      }),
      (records) => ({ records, next: records.length < LIMIT ? null : (records.at(-1)?.Id ?? null) })
    )
  }

  /** Records that say themselves how they stand; null: they say nothing any more. */
  const plain =
    <A extends { readonly Id: string }, I>(
      kind: Kind,
      record: Schema.Codec<A, I>,
      said: (record: A) => Partial<CrmRecord> | null
    ) =>
    (after: string | null, sinceMillis: number | null) =>
      Effect.map(found(kind, record, after, sinceMillis), ({ next, records }) => ({
        records: records.map((one) => ({ ...NOTHING, ref: `${kind.slice(0, -1)}:${one.Id}`, ...said(one) })),
        next
      }))

  const contacts = plain("contacts", Contact, (contact) => {
    const { Account: account, Email, IsDeleted, OwnerId } = contact
    if (IsDeleted === true) return null
    const said = { isCustomer: isCustomer(account?.Type), ownerRef: OwnerId, fields: filledFields(contact, NOES) }
    return { emails: emailsIn(Email), ...said }
  })

  /** A queue owns leads that nobody took yet. */
  const leads = plain("leads", Lead, (lead) => {
    const { Email, IsConverted, IsDeleted, Owner, OwnerId } = lead
    if (IsDeleted === true || IsConverted === true) return null
    const ownerRef = Owner?.Type === "Queue" ? null : OwnerId
    return { emails: emailsIn(Email), ownerRef, fields: filledFields(lead, NOES) }
  })

  const accounts = plain("accounts", Account, ({ IsDeleted, OwnerId, Type, Website }) =>
    IsDeleted === true ? null : { domains: domainsIn(Website), isCustomer: isCustomer(Type), ownerRef: OwnerId }
  )

  /** The people of these accounts, by account: deals often name none themselves. */
  const peopleOf = (accountIds: ReadonlyArray<string>) =>
    Effect.map(
      Effect.forEach(chunksOf([...new Set(accountIds)], ACCOUNTS_MAX), (ids) =>
        queried(
          http,
          Of,
          `SELECT AccountId, Email FROM Contact WHERE Email != null AND AccountId IN (${ids.map(quoted).join(", ")})`,
          { partsMax: PARTS_MAX }
        )
      ),
      (people) => Array.groupBy(people.flat(), ({ AccountId }) => AccountId ?? "")
    )

  const opportunities = (after: string | null, sinceMillis: number | null) =>
    Effect.gen(function* () {
      const { next, records } = yield* found("opportunities", Opportunity, after, sinceMillis)
      const matters = records.filter(({ IsClosed, IsDeleted, IsWon }) => IsDeleted !== true && (!IsClosed || IsWon))
      const people = yield* peopleOf(matters.flatMap(({ AccountId }) => AccountId ?? []))
      const said = records.map((deal): CrmRecord => {
        const ref = `deal:${deal.Id}`
        if (!matters.includes(deal)) return { ...NOTHING, ref }
        const named = deal.OpportunityContactRoles?.records.map(({ Contact: contact }) => contact?.Email) ?? []
        const beside = (people[deal.AccountId ?? ""] ?? []).map(({ Email }) => Email)
        return {
          ...NOTHING,
          ref,
          emails: [...new Set(emailsIn(...named, ...beside))],
          domains: domainsIn(deal.Account?.Website),
          isCustomer: deal.IsWon === true,
          hasOpenDeal: deal.IsClosed !== true
        }
      })
      return { records: said, next }
    })

  const sparesEnough = Effect.flatMap(http.get(Limits, `${ROOT}/limits`), ({ DailyApiRequests: daily }) =>
    daily === null || daily.Remaining * 100 >= daily.Max * LEFT_PERCENT_MIN
      ? Effect.void
      : Effect.fail(
          new ProviderFailure({
            provider: http.name,
            reason: "rate_limited",
            cause: "the day's requests are nearly used up",
            retryAfterSeconds: WAIT_SECONDS
          })
        )
  )

  return pagesOf(http, { contacts, leads, accounts, opportunities }, sparesEnough)
}

export const makeOwners = (http: VendorHttp): Crm["owners"] =>
  Effect.map(
    queried(
      http,
      User,
      "SELECT Id, Name, Email FROM User WHERE IsActive = true AND UserType = 'Standard' ORDER BY Id",
      {
        partsMax: PARTS_MAX
      }
    ),
    (users) => users.map(({ Email, Id: ref, Name }) => ({ ref, name: Name || (Email ?? ref), email: Email }))
  )
