import { assert, describe, it } from "@effect/vitest"
import type { ContactEnricher, MobileFinder } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { makeKeptLater } from "@outbound/domain/sources/SourceAccessFactory.js"
import type { Later } from "@outbound/domain/sources/Later.js"
import { noAccess, CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import type { VendorCost } from "@outbound/domain/sources/VendorCost.js"
import { contactEnricherSuite } from "@outbound/testkit/contracts/providers/contactEnricher.js"
import { mobileFinderSuite } from "@outbound/testkit/contracts/providers/mobileFinder.js"
import { vendorSubject, vendorSuite } from "@outbound/testkit/contracts/providers/vendor.js"
import { patience } from "@outbound/testkit/service/patience.js"
import { makeReplayServer } from "@outbound/testkit/vendors/ReplayServer.js"
import * as MemoryLayer from "@outbound/testkit/memory/layer.js"
import * as MemoryWork from "@outbound/testkit/memory/MemoryWork.js"
import * as TestCrypto from "@outbound/testkit/memory/TestCrypto.js"
import * as TestIds from "@outbound/testkit/memory/TestIds.js"
import { Effect, Fiber, Layer, Option, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { toldAddress } from "../../src/providers/contacts.js"
import { apollo } from "../../src/providers/apollo/Apollo.js"
import { subjectOf } from "../../src/providers/lateJobs.js"
import { fullEnrich } from "../../src/providers/full_enrich/FullEnrich.js"
import { leadMagic } from "../../src/providers/lead_magic/LeadMagic.js"
import { prospeo } from "../../src/providers/prospeo/Prospeo.js"
import type { Vendor } from "../../src/providers/Vendor.js"
import { apolloFixtures, delivered, number, phones, searched } from "./contacts/apollo.js"
import {
  emailInfo,
  enrichment,
  FINISHED,
  FULL_ENRICH_PAT,
  fullEnrichFixtures,
  looked,
  started
} from "./contacts/fullEnrich.js"
import { leadMagicFixtures } from "./contacts/leadMagic.js"
import { BY_PROFILE, PAT } from "./contacts/people.js"
import { prospeoFixtures } from "./contacts/prospeo.js"
import { watchRequests } from "./published/watch.js"

watchRequests(["apollo", "full_enrich"])

vendorSuite(prospeo, prospeoFixtures)
vendorSuite(leadMagic, leadMagicFixtures)
vendorSuite(fullEnrich, fullEnrichFixtures)

const { contact_enricher, mobile_finder, settings } = apolloFixtures
if (contact_enricher) contactEnricherSuite(vendorSubject(apollo, "contact_enricher", settings), contact_enricher)
if (mobile_finder) mobileFinderSuite(vendorSubject(apollo, "mobile_finder", settings), mobile_finder)

const stored = Layer.provideMerge(MemoryWork.layer, MemoryLayer.layer)
const STORES = Layer.merge(Layer.merge(stored, TestCrypto.layer), TestIds.layer)

const IMPATIENT = { poll_every_seconds: 1, poll_seconds_max: 4 }

/** A vendor, and the server that it asks. */
const madeOf = (vendor: Vendor, path: string, more: object = {}) =>
  Effect.gen(function* () {
    const server = yield* makeReplayServer
    const make = Result.getOrThrow(vendor.decode({ ...IMPATIENT, ...more }))
    const made = yield* make({
      baseUrl: `${server.url}${path}`,
      credential: Redacted.make("a credential"),
      callsPerMinute: null,
      unitMicros: 1_000_000,
      declared: {}
    })
    return { made, server }
  })

/** The vendor, the server that it asks, and callers with a workspace's access. */
const given = Effect.gen(function* () {
  const { made, server } = yield* madeOf(fullEnrich, "/api/v2")
  const enricher = made.sources.contact_enricher as ContactEnricher
  const laterOf = yield* makeKeptLater
  const costs: Array<VendorCost> = []
  const evidence: Array<JsonObject> = []
  const asking = (later: Later) => ({
    ...noAccess,
    later,
    spent: (cost: VendorCost) => Effect.sync(() => void costs.push(cost)),
    evidence: (_source: string, facts: JsonObject) => Effect.sync(() => void evidence.push(facts))
  })
  const begin = (identity: PersonIdentity, workspaceId = "w_1") =>
    Effect.forkChild(
      Effect.result(enricher.lookup(identity)).pipe(
        Effect.provideService(CurrentSourceAccess, asking(laterOf(workspaceId)))
      )
    )
  const [followUp] = made.followUps ?? []
  return {
    server,
    enricher,
    asking,
    evidence,
    begin,
    ask: (identity: PersonIdentity, workspaceId?: string) =>
      Effect.flatMap(begin(identity, workspaceId), (fiber) => ended(fiber)),
    followUp: (job: JsonObject) => followUp?.followUp(job, 1) ?? Effect.die("no follow-up"),
    later: laterOf("w_1"),
    spent: () => costs.reduce((sum, { amount }) => sum + amount, 0),
    starts: () => server.received.filter(({ method }) => method === "POST").length
  }
})

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Lets time pass, second after second, until it has ended. */
const ended = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.gen(function* () {
    let count = 0
    for (const isPatient = patience(); isPatient(); count++) {
      if (fiber.pollUnsafe() !== undefined) break
      yield* TestClock.adjust(count % 10 === 9 ? "1 second" : 0)
      yield* turn
    }
    return yield* Fiber.join(fiber)
  })

const contactIn = (asked: Result.Result<Option.Option<unknown>, unknown>) =>
  Option.getOrNull(Result.getOrElse(asked, () => Option.none()))

const failureIn = <A>(asked: Result.Result<A, { readonly reason: string; readonly concluded?: string }>) =>
  Result.isFailure(asked) ? [asked.failure.reason, asked.failure.concluded] : asked

const PENDING = ["transient", "pending"]

describe("full_enrich, whose answers may come after the call", () => {
  const scoped = (says: string, story: () => Effect.Effect<void, unknown, Effect.Services<typeof given>>) =>
    it.effect(says, () => Effect.provide(story(), STORES))

  scoped("a call waits while it can, and asks for nothing twice", () =>
    Effect.gen(function* () {
      const { ask, server, spent, starts } = yield* given
      const inProgress = { status: 400, json: { code: "error.enrichment.in_progress", message: "" } }
      server.on(started(), looked([enrichment("CREATED"), inProgress, enrichment("IN_PROGRESS"), FINISHED]))
      assert.deepStrictEqual(contactIn(yield* ask(PAT)), FULL_ENRICH_PAT)
      assert.deepStrictEqual([starts(), server.received.length, spent()], [1, 5, 1])
      assert.deepStrictEqual(contactIn(yield* ask(PAT)), FULL_ENRICH_PAT)
      assert.deepStrictEqual([server.received.length, spent()], [5, 1], "known, and paid for already")
    })
  )

  scoped("while a job runs, another request for the same person joins it", () =>
    Effect.gen(function* () {
      const { ask, server, spent, starts } = yield* given
      server.on(started(), looked(enrichment("IN_PROGRESS")))
      assert.deepStrictEqual(failureIn(yield* ask(PAT)), PENDING)
      assert.deepStrictEqual(failureIn(yield* ask({ ...PAT, fullName: " pat  DOE " })), PENDING)
      assert.deepStrictEqual([starts(), spent()], [1, 0])
      server.on(looked(FINISHED))
      assert.deepStrictEqual(contactIn(yield* ask(PAT)), FULL_ENRICH_PAT)
      assert.deepStrictEqual([starts(), spent()], [1, 1])
    })
  )

  scoped("other people, and other workspaces, have jobs of their own", () =>
    Effect.gen(function* () {
      const { ask, server, starts } = yield* given
      server.on(started(), looked(enrichment("IN_PROGRESS")))
      for (const identity of [PAT, BY_PROFILE]) assert.deepStrictEqual(failureIn(yield* ask(identity)), PENDING)
      assert.deepStrictEqual(failureIn(yield* ask(PAT, "w_2")), PENDING)
      assert.strictEqual(starts(), 3)
    })
  )

  scoped("the follow-up finds what comes after the call, and the next call asks nobody", () =>
    Effect.gen(function* () {
      const { ask, followUp, later, server, spent } = yield* given
      server.on(started(), looked(enrichment("IN_PROGRESS")))
      yield* ask(PAT)
      const job = { enrichment_id: "e_1", marker: String(server.received[0]?.body.data[0].custom.marker) }
      assert.deepInclude(yield* followUp(job), { _tag: "Again" })
      server.on(looked(FINISHED))
      const answer = yield* followUp(job)
      if (answer._tag !== "Answer") return assert.fail(answer._tag)
      yield* later.settle("full_enrich_emails", subjectOf(PAT), answer)
      server.forget()
      assert.deepStrictEqual(contactIn(yield* ask(PAT)), FULL_ENRICH_PAT)
      assert.deepStrictEqual([server.received.length, spent()], [0, 1])
      assert.deepStrictEqual(contactIn(yield* ask(PAT)), FULL_ENRICH_PAT)
      assert.deepStrictEqual([server.received.length, spent()], [0, 1], "what it cost is noted once")
    })
  )

  scoped("what a job cost is noted once, however many see it end", () =>
    Effect.gen(function* () {
      const { ask, begin, followUp, later, server, spent, starts } = yield* given
      server.on(started(), looked(enrichment("IN_PROGRESS")))
      yield* ask(PAT)
      const waiting = yield* Effect.all([begin(PAT), begin(PAT)])
      server.on(looked(FINISHED))
      for (const fiber of waiting) assert.deepStrictEqual(contactIn(yield* ended(fiber)), FULL_ENRICH_PAT)
      assert.deepStrictEqual([starts(), spent()], [1, 1])

      // The follow-up's answer is kept while a call looks at the same job.
      server.on(started(), looked(enrichment("IN_PROGRESS")))
      yield* ask(BY_PROFILE)
      server.on(looked(FINISHED))
      const answer = yield* followUp({ enrichment_id: "e_1", marker: "m" })
      const late = yield* begin(BY_PROFILE)
      if (answer._tag !== "Answer") return assert.fail(answer._tag)
      yield* later.settle("full_enrich_emails", subjectOf(BY_PROFILE), answer)
      yield* ended(late)
      yield* ask(BY_PROFILE)
      assert.strictEqual(spent(), 2)
    })
  )

  scoped("a job that can't be paid for is told as that, and the next call starts another", () =>
    Effect.gen(function* () {
      const { ask, followUp, server, starts } = yield* given
      const unpaid = { ...enrichment("CREDITS_INSUFFICIENT"), status: 402 }
      server.on(started(), looked(unpaid))
      assert.deepStrictEqual(failureIn(yield* ask(PAT)), ["account", undefined])
      assert.deepStrictEqual(yield* followUp({ enrichment_id: "e_1", marker: "m" }), { _tag: "Gone" })
      server.on(looked(FINISHED))
      assert.deepStrictEqual(contactIn(yield* ask(PAT)), FULL_ENRICH_PAT)
      assert.strictEqual(starts(), 2)
    })
  )

  scoped("a job that was cancelled, or is somebody else's, is no answer", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* given
      const others = { custom: { marker: "another's" }, contact_info: emailInfo("sam@example.com", "DELIVERABLE") }
      const foreign = { json: { ...(FINISHED.json as object), data: [others] } }
      for (const answer of [enrichment("CANCELED"), enrichment("UNKNOWN"), enrichment("NEW_WORD"), foreign]) {
        server.on(started(), looked(answer))
        assert.deepStrictEqual(failureIn(yield* ask(PAT)), ["transient", undefined])
      }
    })
  )

  const UNKNOWN = ["unknown_outcome", "skipped"]

  scoped(
    "that a job will be started is known before it is, and where its id was never learnt it is not started again",
    () =>
      Effect.gen(function* () {
        const { ask, evidence, followUp, later, server, spent, starts } = yield* given
        server.on(started({ status: 500, json: {} }))
        assert.deepStrictEqual(failureIn(yield* ask(PAT)), ["unknown_outcome", undefined])
        server.on(started(), looked(FINISHED))
        for (const again of [PAT, { ...PAT, fullName: "PAT Doe" }]) {
          assert.deepStrictEqual(failureIn(yield* ask(again)), UNKNOWN)
        }
        assert.deepStrictEqual([starts(), spent()], [1, 0])
        const marker = String(server.received[0]?.body.data[0].custom.marker)
        assert.deepStrictEqual(evidence, [{ job: marker, outcome: "unknown" }])

        // The host that was to start this one died: it stands there as the host left it.
        const request = { starting: "a marker" }
        const subject = subjectOf(BY_PROFILE)
        yield* later.ask({ source: "full_enrich_emails", subject, email: null, request, afterSeconds: 120 })
        assert.deepStrictEqual(failureIn(yield* ask(BY_PROFILE)), PENDING)
        const outcome = yield* followUp(request)
        if (outcome._tag !== "Unknown") return assert.fail(outcome._tag)
        assert.strictEqual(outcome.keepSeconds, 30 * 24 * 60 * 60)
        yield* later.settle("full_enrich_emails", subject, outcome)
        assert.deepStrictEqual(failureIn(yield* ask(BY_PROFILE)), UNKNOWN)
        assert.strictEqual(starts(), 1)
      })
  )

  scoped("a start that certainly came to nothing is none", () =>
    Effect.gen(function* () {
      const { ask, server, starts } = yield* given
      server.on(started({ status: 401, json: { code: "error.api.key" } }))
      assert.deepStrictEqual(failureIn(yield* ask(PAT)), ["account", undefined])
      server.on(started(), looked(FINISHED))
      assert.deepStrictEqual(contactIn(yield* ask(PAT)), FULL_ENRICH_PAT)
      assert.strictEqual(starts(), 2)
    })
  )

  scoped("of two hosts that are asked for the same person at once, one starts a job, and both look at it", () =>
    Effect.gen(function* () {
      const { begin, server, starts } = yield* given
      server.on(started(), looked([enrichment("IN_PROGRESS"), FINISHED]))
      const fibers = yield* Effect.all([begin(PAT), begin(PAT)])
      for (const fiber of fibers) assert.deepStrictEqual(contactIn(yield* ended(fiber)), FULL_ENRICH_PAT)
      assert.strictEqual(starts(), 1)
    })
  )

  scoped("nothing is bought that can't be written down first", () =>
    Effect.gen(function* () {
      const { asking, enricher, later, server, starts } = yield* given
      server.on(started(), looked(FINISHED))
      const down = { ...later, ask: () => Effect.fail(new ProviderFailure({ provider: "x", reason: "transient" })) }
      const asked = yield* Effect.result(enricher.lookup(PAT)).pipe(
        Effect.provideService(CurrentSourceAccess, asking(down))
      )
      assert.deepStrictEqual(failureIn(asked), ["transient", undefined])
      assert.strictEqual(starts(), 0)
    })
  )

  scoped("a call that is left in the middle of waiting leaves its job to the next", () =>
    Effect.gen(function* () {
      const { ask, begin, server, starts } = yield* given
      server.on(started(), looked(enrichment("IN_PROGRESS")))
      const left = yield* begin(PAT)
      yield* server.until(2)
      yield* Fiber.interrupt(left)
      server.on(looked(FINISHED))
      assert.deepStrictEqual(contactIn(yield* ask(PAT)), FULL_ENRICH_PAT)
      assert.strictEqual(starts(), 1)
    })
  )
})

describe("apollo, whose numbers come after the call", () => {
  it.effect(
    "a search is known by all of its digits, whatever is said of it meanwhile, and made anew where it is lost",
    () =>
      Effect.gen(function* () {
        const { made, server } = yield* madeOf(apollo, "/api/v1", { phone_webhook_url: "https://hooks.example/phones" })
        const finder = made.sources.mobile_finder as MobileFinder
        const later = (yield* makeKeptLater)("w_1")
        const find = Effect.flatMap(
          Effect.forkChild(
            Effect.result(finder.find(PAT)).pipe(Effect.provideService(CurrentSourceAccess, { ...noAccess, later }))
          ),
          ended
        )
        const starts = () => server.received.filter(({ method }) => method === "POST").length
        const waits = { status: 404, json: { error_code: "result_pending", retry_after_seconds: 30 } }
        server.on(searched, delivered(waits))
        assert.deepStrictEqual(failureIn(yield* find), PENDING)
        server.on(delivered({ json: { webhook_status: "in_progress", webhook_result: null } }))
        assert.deepStrictEqual(failureIn(yield* find), PENDING)
        server.on(delivered({ status: 410, json: { error_code: "request_id_expired" } }))
        assert.deepStrictEqual(failureIn(yield* find), ["transient", undefined])
        assert.strictEqual(starts(), 1)
        server.on(delivered({ json: { webhook_status: "failed", failure_reason: "410", webhook_result: null } }))
        assert.deepStrictEqual(failureIn(yield* find), ["transient", undefined])
        assert.strictEqual(starts(), 2)
        server.on(delivered(phones(number("+15125550100"))))
        assert.deepStrictEqual(contactIn(yield* find), "+15125550100")
        assert.strictEqual(starts(), 3)
      }).pipe(Effect.provide(STORES))
  )
})

describe("an address that a vendor writes", () => {
  it("is none where it stands for one that is not told, and one wherever it is", () => {
    for (const none of [
      "email_not_unlocked@domain.com",
      "not_unlocked@x.example",
      "j***@x.example",
      "noemail@x.example"
    ]) {
      assert.isNull(toldAddress(none), none)
    }
    for (const one of ["jo@domain.com", "jo@x.example"]) assert.strictEqual(toldAddress(one), one)
  })
})
