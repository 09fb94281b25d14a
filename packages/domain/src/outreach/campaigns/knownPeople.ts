import { Effect } from "effect"
import { CampaignStore } from "./CampaignStore.js"
import { LeadMachine } from "./LeadMachine.js"
import { DirectoryStore } from "../../data/directory/DirectoryStore.js"
import { addressFingerprint } from "../../data/directory/matched.js"
import type { EmailStatus } from "../../sources/ports/EmailVerifier.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { SuppressionStore } from "../suppression/SuppressionStore.js"

/** Somebody whose address at a company a workspace knows. */
export interface KnownPerson {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly fullName: string | null
  readonly email: string
}

/** What a workspace may use to tell how a company writes its addresses, and about whom nobody may be asked. */
export interface KnownPeople {
  /**
   * Those of the workspace's own lists with an address at that domain that is not known to be wrong, and its leads there who
   * answered, or to whom mail was delivered.
   */
  readonly at: (workspaceId: string, companyDomain: string) => FromStore<ReadonlyArray<KnownPerson>>
  /**
   * `never`: one of these addresses is of somebody who objected, or whose data were erased, or its domain is suppressed.
   * `gone`: the addresses among them that bounced for good.
   */
  readonly barred: (
    workspaceId: string,
    emails: ReadonlyArray<string>
  ) => FromStore<{ readonly never: boolean; readonly gone: ReadonlySet<string> }>
}

/** The most people whose addresses one question reads. */
const PEOPLE_MAX = 50

/**
 * Leads whose mail arrived: they answered, or the days in which an answer or a bounce of their last message would have come
 * are over.
 */
const REACHED = [...LeadMachine.in.replied, ...LeadMachine.in.finished]

const BELIEVED = new Set<EmailStatus | null>([null, "valid", "catch_all_valid", "catch_all_unknown"])

type KnownNeeds = CampaignStore | Crypto | DirectoryStore | SuppressionStore

export const knownPeople: Effect.Effect<KnownPeople, never, KnownNeeds> = Effect.gen(function* () {
  const directory = yield* DirectoryStore
  const campaigns = yield* CampaignStore
  const suppressions = yield* SuppressionStore
  const crypto = yield* Crypto
  return {
    at: (workspaceId, companyDomain) =>
      Effect.gen(function* () {
        const { people } = yield* directory.searchPeople(workspaceId, {
          titles: [],
          places: null,
          industries: [],
          companyDomains: [companyDomain],
          headcountMin: null,
          headcountMax: null,
          steering: [],
          limit: PEOPLE_MAX
        })
        const listed = people.flatMap(({ emailStatus, firstName, fullName, lastName, workEmail }) =>
          workEmail?.endsWith(`@${companyDomain}`) === true && BELIEVED.has(emailStatus)
            ? [{ firstName, lastName, fullName, email: workEmail }]
            : []
        )
        const reached = yield* campaigns.namesAt(workspaceId, companyDomain, REACHED, PEOPLE_MAX)
        // A list knows more of a person than a campaign does.
        const known = new Set(listed.map(({ email }) => email))
        const others = reached.filter(({ email }) => !known.has(email))
        return [...listed, ...others.map((lead): KnownPerson => ({ ...lead, fullName: null }))]
      }),
    barred: (workspaceId, emails) =>
      Effect.gen(function* () {
        const hashes = emails.map((email) => addressFingerprint(crypto, workspaceId, email))
        const erased = yield* directory.erased(workspaceId, hashes)
        if (erased.length > 0) return { never: true, gone: new Set<string>() }
        const gone = new Set<string>()
        for (const [at, email] of emails.entries()) {
          const sources = yield* suppressions.sourcesOf(workspaceId, hashes[at] ?? "", email)
          if (sources.some((source) => source !== "hard_bounce")) return { never: true, gone }
          if (sources.length > 0) gone.add(email)
        }
        return { never: false, gone }
      })
  }
})
