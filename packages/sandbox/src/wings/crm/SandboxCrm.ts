import type { Crm, CrmRecord, CrmVendor } from "@outbound/domain/wings/crm/Crm.js"
import { Effect, Option } from "effect"

/** The CRM that sandbox workspaces may connect. It takes any key. */
export const SANDBOX_CRM: CrmVendor = {
  name: "sandbox_crm",
  title: "Sandbox CRM",
  hint: "Any text of eight characters or more. Everybody at customer.test is a customer, everybody at deal.test has an open deal, owned@owned.test belongs to a colleague, and refused@refused.test opted out of email."
}

const nothing = { emails: [], domains: [], isCustomer: false, hasOpenDeal: false, ownerRef: null, fields: [] }

const RECORDS: ReadonlyArray<CrmRecord> = [
  { ...nothing, ref: "company:1", domains: ["customer.test"], isCustomer: true },
  { ...nothing, ref: "deal:2", domains: ["deal.test"], hasOpenDeal: true },
  { ...nothing, ref: "person:3", emails: ["owned@owned.test"], ownerRef: "1" },
  { ...nothing, ref: "person:4", emails: ["refused@refused.test"], fields: [["Email Opt Out", "true"]] }
]

/** Most notes that are remembered, of all workspaces. */
const NOTES_MAX = 10_000

/** Everybody has a record there. Notes are remembered as long as this process runs. */
export const makeSandboxCrm = (): ((workspaceId: string) => Crm) => {
  const notes = new Set<string>()
  return (workspaceId) => {
    const noteOf = (personRef: string, marker: string) => JSON.stringify([workspaceId, personRef, marker])
    return {
      name: SANDBOX_CRM.name,
      page: () => Effect.succeed({ records: RECORDS, cursor: null }),
      owners: Effect.succeed([{ ref: "1", name: "Olga Owner", email: null }]),
      find: (email) => Effect.succeed(Option.some(email)),
      create: ({ email }) => Effect.succeed(email),
      write: (personRef, { marker }) =>
        Effect.sync(() => {
          if (notes.size >= NOTES_MAX) notes.clear()
          notes.add(noteOf(personRef, marker))
        }),
      holds: (personRef, marker) => Effect.sync(() => notes.has(noteOf(personRef, marker)))
    }
  }
}
