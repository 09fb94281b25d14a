import { assert, describe, it } from "@effect/vitest"
import type { CredentialForm } from "@outbound/domain/sources/ownKeys/OwnKeyVendors.js"
import type { CompanyDatasetSource } from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import type { CompanySource } from "@outbound/domain/sources/ports/CompanySource.js"
import type { ContactEnricher, MobileFinder } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { IntentSource } from "@outbound/domain/sources/ports/IntentSource.js"
import type { LeadSource } from "@outbound/domain/sources/ports/LeadSource.js"
import type { PostSource } from "@outbound/domain/sources/ports/PostSource.js"
import type { ProviderFailure, Source } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Option, Redacted, Result, type Scope } from "effect"
import type { Exchange } from "../../vendors/Exchange.js"
import { makeReplayServer } from "../../vendors/ReplayServer.js"
import { companyDatasetSourceSuite, type CompanyDatasetSourceFixture } from "./companyDatasetSource.js"
import { companySourceSuite, type CompanySourceFixture } from "./companySource.js"
import { contactEnricherSuite, type ContactEnricherFixture } from "./contactEnricher.js"
import { emailVerifierSuite, type EmailVerifierFixture } from "./emailVerifier.js"
import { intentSourceSuite, type IntentSourceFixture } from "./intentSource.js"
import { leadSourceSuite, type LeadSourceFixture } from "./leadSource.js"
import { mobileFinderSuite, type MobileFinderFixture } from "./mobileFinder.js"
import { postSourceSuite, type PostSourceFixture } from "./postSource.js"
import { isWithoutSecret, SECRET, type Subject, told, type VendorFailure } from "./sources.js"

/** Those of a vendor's sources that there are suites for. */
interface TestedSources {
  readonly lead_source?: LeadSource
  readonly premium_lead_source?: LeadSource
  readonly company_source?: CompanySource
  readonly company_dataset_source?: CompanyDatasetSource
  readonly intent_source?: IntentSource
  readonly post_source?: PostSource
  readonly contact_enricher?: ContactEnricher
  readonly mobile_finder?: MobileFinder
  readonly email_verifier?: EmailVerifier
}

/** What an operator says of a source, over what it declares of itself. */
type Declared = Partial<Omit<Source, "name">>

interface Standing {
  readonly left: number | null
  readonly missing: ReadonlyArray<string>
}

/** A vendor as the adapters list it, as far as the suites look at it. */
export interface TestedVendor {
  readonly name: string
  readonly baseUrl: string
  readonly unitMicros: number
  readonly credentialForm?: CredentialForm
  readonly serves: ReadonlyArray<string>
  readonly decode: (
    settings: unknown
  ) => Result.Result<
    (config: {
      readonly baseUrl: string
      readonly credential: Redacted.Redacted | null
      readonly callsPerMinute: number | null
      readonly unitMicros: number
      readonly declared: Readonly<Record<string, Declared>>
    }) => Effect.Effect<
      { readonly sources: TestedSources; readonly account: Effect.Effect<Standing, ProviderFailure> },
      never,
      Scope.Scope
    >,
    unknown
  >
}

/** What a vendor is asked, port by port, and about its account. */
export interface VendorFixtures {
  /** Over the defaults: what a test can't wait for. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly lead_source?: LeadSourceFixture
  readonly premium_lead_source?: LeadSourceFixture
  readonly company_source?: CompanySourceFixture
  readonly company_dataset_source?: CompanyDatasetSourceFixture
  readonly intent_source?: IntentSourceFixture
  readonly post_source?: PostSourceFixture
  readonly contact_enricher?: ContactEnricherFixture
  readonly mobile_finder?: MobileFinderFixture
  readonly email_verifier?: EmailVerifierFixture
  readonly account: {
    readonly exchanges: ReadonlyArray<Exchange>
    readonly expected: Standing
    /** How its account endpoint refuses, beside a 401; the first exchange is the one that goes wrong. */
    readonly failures?: ReadonlyArray<VendorFailure>
    /** A server of the operator's own, which asks for no credential. */
    readonly needsNoCredential?: true
  }
}

/** Where the vendor's own path, such as `/v2`, stands below the server's address. */
const baseUrlAt = (vendor: TestedVendor, url: string): string =>
  `${url}${vendor.baseUrl === "" ? "" : new URL(vendor.baseUrl).pathname.replace(/\/$/, "")}`

/** A workspace's credential in the form that the vendor's have: one of two halves where it takes two. */
const ownSecret = ({ credentialForm }: TestedVendor, secret: string) =>
  Option.some(Redacted.make(credentialForm?.pattern.test(secret) === false ? `${secret}:${secret}` : secret))

const makerOf = (vendor: TestedVendor, settings: unknown) => Result.getOrThrow(vendor.decode(settings))

/** A vendor with the suites' credential, or none, and the server that it is asked at. */
export const makeVendorUnderTest = (
  vendor: TestedVendor,
  settings: unknown = {},
  credential: string | null = SECRET,
  declared: Readonly<Record<string, Declared>> = {}
) =>
  Effect.gen(function* () {
    const server = yield* makeReplayServer
    const made = yield* makerOf(
      vendor,
      settings
    )({
      baseUrl: baseUrlAt(vendor, server.url),
      credential: credential === null ? null : Redacted.make(credential),
      callsPerMinute: null,
      unitMicros: vendor.unitMicros,
      declared
    })
    return { made, server }
  })

/** One of a vendor's sources, as the suites take it. */
export const vendorSubject = <P extends keyof TestedSources>(
  vendor: TestedVendor,
  port: P,
  settings: unknown = {}
): Subject<NonNullable<TestedSources[P]>> => ({
  name: vendor.name,
  make: Effect.map(makeVendorUnderTest(vendor, settings), ({ made, server }) => {
    const source = made.sources[port]
    if (source === undefined) throw new Error(`${vendor.name} has no ${port}`)
    return { source, server }
  })
})

const accountSuite = (vendor: TestedVendor, { account, settings = {} }: VendorFixtures): void => {
  it.effect("tells how its account stands, and asks what costs nothing for it", () =>
    Effect.gen(function* () {
      const { made, server } = yield* makeVendorUnderTest(vendor, settings)
      server.on(...account.exchanges)
      const [all, standing] = yield* told(made.account)
      assert.deepStrictEqual(standing, account.expected)
      assert.deepStrictEqual(all.spent, [])
      isWithoutSecret([all, standing], "what is told of the account")
    })
  )

  it.effect("tells a credential that is refused for what it is, and whose it was", () =>
    Effect.gen(function* () {
      const { made, server } = yield* makeVendorUnderTest(vendor, settings)
      const [first] = account.exchanges
      if (first === undefined) return
      const refusals = [
        { says: "a 401", answer: { status: 401, json: { error: `no ${SECRET}` } }, reason: "account" },
        ...(account.failures ?? [])
      ]
      for (const { answer, reason, says } of refusals) {
        server.on(...account.exchanges, { ...first, answer })
        const [, failure] = yield* told(Effect.flip(made.account))
        assert.deepStrictEqual([failure.reason, failure.ownKey], [reason, undefined], says)
        isWithoutSecret(failure, says)
        const [, own] = yield* told(Effect.flip(made.account), ownSecret(vendor, SECRET))
        assert.deepStrictEqual([own.reason, own.ownKey], [reason, reason === "account" ? "refused" : undefined], says)
        isWithoutSecret(own, says)
      }
    })
  )

  it.effect("without a credential nobody is asked, and a workspace's own is used where there is one", () =>
    Effect.gen(function* () {
      const { made, server } = yield* makeVendorUnderTest(vendor, settings, null)
      server.on(...account.exchanges)
      if (account.needsNoCredential !== true) {
        const [, failure] = yield* told(Effect.flip(made.account))
        assert.deepStrictEqual([failure.reason, failure.concluded], ["account", "skipped"])
        assert.deepStrictEqual(server.connections(), 0)
      }
      yield* told(made.account, ownSecret(vendor, "own-key-of-a-workspace"))
      const asked = server.received[0]
      const places = [JSON.stringify(asked?.headers), asked?.query.toString(), asked?.text]
      assert.isTrue(
        places.some((place) => place?.includes("own-key-of-a-workspace")),
        "the workspace's own key"
      )
    })
  )
}

/** All that a vendor serves, by the suites of its ports, against a server that replays what the vendor says. */
export const vendorSuite = (vendor: TestedVendor, fixtures: VendorFixtures): void => {
  const { settings = {} } = fixtures
  describe(`${vendor.name}`, () => {
    it.effect("serves what it says, by sources that carry its name, and nothing else without any setting", () =>
      Effect.gen(function* () {
        const bare = yield* makeVendorUnderTest(vendor)
        assert.includeMembers([...vendor.serves], Object.keys(bare.made.sources))
        const { made } = yield* makeVendorUnderTest(vendor, settings)
        assert.sameMembers(Object.keys(made.sources), [...vendor.serves])
        const sources: ReadonlyArray<Source | undefined> = Object.values(made.sources)
        for (const source of sources) assert.strictEqual(source?.name, vendor.name)
        assert.isTrue(Result.isFailure(vendor.decode({ no_such_setting: 1 })), "a setting that is none is refused")
      })
    )

    it.effect("what the operator measured counts, whatever it declares of itself", () =>
      Effect.gen(function* () {
        const measured: Declared = { costMicros: 7, missRate: 0.7, latencyMillis: 77 }
        const ports = vendor.serves.filter((port): port is keyof TestedSources => TESTED.has(port))
        const declared = Object.fromEntries(ports.map((port) => [port, measured]))
        const { made } = yield* makeVendorUnderTest(vendor, settings, SECRET, declared)
        for (const port of ports) assert.deepInclude(made.sources[port], measured, port)
      })
    )

    it("each port that it serves has its cases", () => {
      for (const port of vendor.serves) {
        if (TESTED.has(port)) assert.property(fixtures, port, `${vendor.name} serves ${port}`)
      }
    })

    accountSuite(vendor, fixtures)
    const subject = <P extends keyof TestedSources>(port: P) => vendorSubject(vendor, port, settings)
    if (fixtures.lead_source) leadSourceSuite(subject("lead_source"), fixtures.lead_source)
    if (fixtures.premium_lead_source) leadSourceSuite(subject("premium_lead_source"), fixtures.premium_lead_source)
    if (fixtures.company_source) companySourceSuite(subject("company_source"), fixtures.company_source)
    if (fixtures.company_dataset_source) {
      companyDatasetSourceSuite(subject("company_dataset_source"), fixtures.company_dataset_source)
    }
    if (fixtures.intent_source) intentSourceSuite(subject("intent_source"), fixtures.intent_source)
    if (fixtures.post_source) postSourceSuite(subject("post_source"), fixtures.post_source)
    if (fixtures.contact_enricher) contactEnricherSuite(subject("contact_enricher"), fixtures.contact_enricher)
    if (fixtures.mobile_finder) mobileFinderSuite(subject("mobile_finder"), fixtures.mobile_finder)
    if (fixtures.email_verifier) emailVerifierSuite(subject("email_verifier"), fixtures.email_verifier)
  })
}

/** The ports that have a suite; the others have their own tests. */
const TESTED: ReadonlySet<string> = new Set([
  "lead_source",
  "premium_lead_source",
  "company_source",
  "company_dataset_source",
  "intent_source",
  "post_source",
  "contact_enricher",
  "mobile_finder",
  "email_verifier"
])
