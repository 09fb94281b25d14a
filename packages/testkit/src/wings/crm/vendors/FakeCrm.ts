import type { Crm, CrmRecord } from "@outbound/domain/wings/crm/Crm.js"
import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Option } from "effect"
import { CrmWorld, type PersonThere } from "./CrmWorld.js"

/** How a step goes wrong: whether the CRM acts, and what the caller gets; null: no answer, ever. */
export interface CrmFault {
  readonly acts: boolean
  readonly failure: ProviderFailureReason | null
  readonly concluded?: "not_allowed"
  readonly retryAfterSeconds?: number
}

export type CrmStep = "page" | "owners" | "find" | "create" | "write" | "holds"

/** A CRM in memory that behaves badly on request. */
export interface FakeCrm {
  readonly crm: Crm
  readonly world: CrmWorld
  /** For the next steps of this kind, one each. */
  readonly fault: (step: CrmStep, ...faults: ReadonlyArray<CrmFault>) => void
  /** The steps, oldest first. */
  readonly asked: ReadonlyArray<CrmStep>
}

const NAME = "fake_crm"

/** Records of a page. */
const PAGE = 2

/** A form's own fields of a person. */
const fieldsOf = ({ mail }: PersonThere): CrmRecord["fields"] => [
  ["Email Opt Out", mail === "opted_out" ? "true" : "false"],
  ["Bounced", mail === "bounced" ? "true" : "false"]
]

const recordsOf = (world: CrmWorld, sinceMillis: number): ReadonlyArray<CrmRecord> => {
  const nothing = { emails: [], domains: [], isCustomer: false, hasOpenDeal: false, ownerRef: null, fields: [] }
  const isNew = ({ changedMillis }: { readonly changedMillis: number }) => changedMillis >= sinceMillis
  const emailsOf = (ids: ReadonlyArray<string>) =>
    world.persons.filter(({ id }) => ids.includes(id)).flatMap(({ emails }) => emails)
  const domainsOf = (ids: ReadonlyArray<string>) =>
    world.companies.filter(({ id }) => ids.includes(id)).map(({ domain }) => domain)
  return [
    ...world.listed(world.persons.filter(isNew)).map((person) => ({
      ...nothing,
      ref: `person:${person.id}`,
      emails: person.emails,
      isCustomer: person.isCustomer,
      ownerRef: person.ownerId,
      fields: fieldsOf(person)
    })),
    ...world.listed(world.companies.filter(isNew)).map(({ domain, id, isCustomer, ownerId }) => ({
      ...nothing,
      ref: `company:${id}`,
      domains: [domain],
      isCustomer,
      ownerRef: ownerId
    })),
    ...world.listed(world.deals.filter(isNew)).map(({ companyIds, id, personIds, status }) => ({
      ...nothing,
      ref: `deal:${id}`,
      emails: status === "open" ? emailsOf(personIds) : [],
      domains: status === "open" ? domainsOf(companyIds) : [],
      hasOpenDeal: status === "open"
    }))
  ]
}

export const makeFakeCrm = (world = new CrmWorld()): FakeCrm => {
  const faults = new Map<CrmStep, Array<CrmFault>>()
  const asked: Array<CrmStep> = []

  const answering = <A>(step: CrmStep, act: () => A): Effect.Effect<A, ProviderFailure> =>
    Effect.suspend(() => {
      asked.push(step)
      const fault = faults.get(step)?.shift()
      if (fault === undefined) return Effect.sync(act)
      if (fault.acts) act()
      if (fault.failure === null) return Effect.never
      const { acts: _, failure: reason, ...also } = fault
      return Effect.fail(new ProviderFailure({ provider: NAME, reason, cause: "as scripted", ...also }))
    })

  return {
    world,
    asked,
    fault: (step, ...list) => void faults.set(step, [...(faults.get(step) ?? []), ...list]),
    crm: {
      name: NAME,
      page: ({ cursor, sinceMillis }) =>
        answering("page", () => {
          const all = recordsOf(world, sinceMillis ?? Number.NEGATIVE_INFINITY)
          const from = Number(cursor ?? 0)
          const to = world.isStuck ? from : from + PAGE
          const next = world.isStuck || to < all.length ? String(to) : null
          return { records: all.slice(from, from + PAGE), cursor: next }
        }),
      owners: answering("owners", () => world.owners.map(({ email, id, name }) => ({ ref: id, name, email }))),
      find: (email) =>
        answering("find", () => Option.map(Option.fromNullishOr(world.personWith(email)), ({ id }) => id)),
      create: ({ email, firstName, lastName }, ownerRef) =>
        answering("create", () => {
          const name = [firstName, lastName].filter((part) => part !== null).join(" ")
          return world.person([email], { name, ownerId: ownerRef }).id
        }),
      write: (personRef, { ownerRef, text }) => answering("write", () => void world.note(personRef, text, ownerRef)),
      holds: (personRef, marker) =>
        answering("holds", () =>
          world.notes.some(({ body, personId }) => personId === personRef && body.includes(marker))
        )
    }
  }
}
