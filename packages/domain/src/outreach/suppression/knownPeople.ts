import { Effect } from "effect"
import { DirectoryStore } from "../../data/directory/DirectoryStore.js"
import { addressFingerprint } from "../../data/directory/matched.js"
import type { EmailStatus } from "../../sources/ports/EmailVerifier.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { SuppressionStore } from "./SuppressionStore.js"

/** Somebody whose address at a company a workspace knows. */
export interface KnownPerson {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly fullName: string | null
  readonly email: string
}

/** What a workspace may use to tell how a company writes its addresses, and about whom nobody may be asked. */
export interface KnownPeople {
  /** Those of the workspace's own lists with an address at that domain that is not known to be wrong. */
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

const BELIEVED = new Set<EmailStatus | null>([null, "valid", "catch_all_valid", "catch_all_unknown"])

export const knownPeople: Effect.Effect<KnownPeople, never, DirectoryStore | SuppressionStore | Crypto> = Effect.gen(
  function* () {
    const directory = yield* DirectoryStore
    const suppressions = yield* SuppressionStore
    const crypto = yield* Crypto
    return {
      at: (workspaceId, companyDomain) =>
        Effect.map(
          directory.searchPeople(workspaceId, {
            titles: [],
            places: null,
            industries: [],
            companyDomains: [companyDomain],
            headcountMin: null,
            headcountMax: null,
            steering: [],
            limit: PEOPLE_MAX
          }),
          ({ people }) =>
            people.flatMap(({ emailStatus, firstName, fullName, lastName, workEmail }) =>
              workEmail?.endsWith(`@${companyDomain}`) === true && BELIEVED.has(emailStatus)
                ? [{ firstName, lastName, fullName, email: workEmail }]
                : []
            )
        ),
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
  }
)
