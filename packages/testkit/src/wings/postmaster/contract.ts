import { assert } from "@effect/vitest"
import { ControlLog } from "@outbound/domain/control/ControlLog.js"
import { HOUR_MILLIS } from "@outbound/domain/kernel/durations.js"
import { LongWork } from "@outbound/domain/kernel/ports/LongWork.js"
import type { LookStore } from "@outbound/domain/outreach/authentication/LookStore.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { PostmasterAdmin, layer as admin } from "@outbound/domain/wings/postmaster/PostmasterAdmin.js"
import { PostmasterApi } from "@outbound/domain/wings/postmaster/PostmasterApi.js"
import { makeLostPostmasters, makePostmasterHandler } from "@outbound/domain/wings/postmaster/postmasterJob.js"
import { postmasterJob, PostmasterStore } from "@outbound/domain/wings/postmaster/PostmasterStore.js"
import type { PostmasterStats, Requirement } from "@outbound/domain/wings/postmaster/Postmaster.js"
import { Context, type Duration, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { colleague, growStale, refusedBy, signIn } from "../../contracts/service/controlSupport.js"
import { describeStories } from "../../contracts/service/describeStories.js"
import { type OwnService, team } from "../../contracts/service/ownStories.js"
import { ok } from "../../contracts/service/stories.js"

interface Said {
  readonly requirements: ReadonlyArray<Requirement> | null
  readonly stats: PostmasterStats | null
}

/** What Google says to a story, and how often it was asked. */
class Google {
  readonly domains = new Map<string, Said>()
  fails: ProviderFailure | null = null
  /** It fails so from this question on. */
  failsAfter = Number.POSITIVE_INFINITY
  rotates = false
  readonly grants: Array<string> = []
  asked = 0

  #answer<A>(value: A): Effect.Effect<A, ProviderFailure> {
    return Effect.suspend(() => {
      this.asked += 1
      return this.fails !== null && this.asked > this.failsAfter ? Effect.fail(this.fails) : Effect.succeed(value)
    })
  }

  readonly api = PostmasterApi.of({
    token: ({ refreshToken }) =>
      Effect.suspend(() => {
        this.grants.push(Redacted.value(refreshToken))
        const next = this.rotates ? Redacted.make(`refresh ${this.grants.length}`) : null
        return this.#answer({ accessToken: Redacted.make("access"), refreshToken: next })
      }),
    domains: () => this.#answer([...this.domains.keys()]),
    requirements: (_token, domain) => this.#answer(this.domains.get(domain)?.requirements ?? null),
    stats: (_token, domain) => this.#answer(this.domains.get(domain)?.stats ?? null)
  })
}

const GRANT = {
  tokenUrl: "https://oauth2.googleapis.com/token",
  clientId: "client",
  clientSecret: null,
  refreshToken: Redacted.make("refresh 0"),
  scope: null
}

const WELL: Said = {
  requirements: [
    { requirement: "SPF", status: "compliant" },
    { requirement: "USER_REPORTED_SPAM_RATE", status: "compliant" }
  ],
  stats: { day: "2027-03-20", spamRate: 0.0002, rejectRate: 0, tempFailRate: 0.001 }
}

const fail = (reason: "account" | "rate_limited" | "transient", retryAfterSeconds?: number) =>
  new ProviderFailure({
    provider: "postmaster_tools",
    reason,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  })

/** A workspace that sends from acme.test, and an owner. */
const begun = Effect.gen(function* () {
  const { client } = yield* team(1)
  const google = new Google()
  const quiet = Layer.succeed(LongWork, { announce: () => Effect.void })
  const tools = Context.get(yield* Layer.build(Layer.provide(Layer.fresh(admin), quiet)), PostmasterAdmin)
  const handler = yield* makePostmasterHandler.pipe(Effect.provideService(PostmasterApi, google.api))
  const by = yield* signIn(client.ownerEmail)
  const store = yield* PostmasterStore
  return {
    by,
    again: signIn(client.ownerEmail),
    client,
    google,
    store,
    tools,
    turn: handler(client.workspaceId),
    later: (duration: Duration.Input) => Effect.andThen(TestClock.adjust(duration), handler(client.workspaceId)),
    readings: Effect.suspend(() => store.readings(client.workspaceId)),
    atGoogle: Effect.map(client.call("get_sending_health"), (answer) => {
      const { advice, domains } = ok(answer).result
      const receivers = domains[0]?.receivers ?? []
      const receiver = receivers.find((one: { readonly organisation: string }) => one.organisation === "google.com")
      return { advice, receiver }
    })
  }
})

/** What reading Postmaster Tools guarantees. */
export const postmasterContract = <E>(
  name: string,
  service: Layer.Layer<OwnService | PostmasterStore | ControlLog | LookStore, E>
) => {
  describeStories(service)(`Postmaster Tools (${name})`, (it) => {
    it.effect("once a day, for the domains that it sends from and no others; states with evidence and age follow", () =>
      Effect.gen(function* () {
        const { atGoogle, by, google, later, readings, tools, turn } = yield* begun
        google.domains.set("acme.test", WELL)
        google.domains.set("another.example", WELL)
        assert.strictEqual((yield* turn)._tag, "Done")
        assert.strictEqual(google.asked, 0)
        yield* tools.connect(by, GRANT)
        assert.deepInclude(yield* turn, { _tag: "Wait", millis: 24 * HOUR_MILLIS })
        const [reading, ...others] = yield* readings
        assert.isEmpty(others)
        assert.deepInclude(reading, { domain: "acme.test", spamRate: 0.0002, day: "2027-03-20" })
        const well = (yield* atGoogle).receiver
        assert.deepInclude(well, { state: "good", sent: 0, placement: null })
        assert.deepInclude(well.evidence[0], {
          by: "postmaster_tools",
          at: new Date(reading?.readAtMillis ?? 0).toISOString()
        })
        assert.include(well.evidence[0].says, "0.02 % reported as spam")
        // Asked too early it does nothing.
        const asked = google.asked
        yield* later("23 hours")
        assert.strictEqual(google.asked, asked)

        google.domains.set("acme.test", {
          requirements: [{ requirement: "DMARC_ALIGNMENT", status: "needs_work" }],
          stats: { day: "2027-03-21", spamRate: 0.004, rejectRate: null, tempFailRate: null }
        })
        yield* later("1 hour")
        const { advice, receiver } = yield* atGoogle
        assert.strictEqual(receiver.state, "bad")
        assert.include(receiver.evidence[0].says, "needs work: dmarc alignment")
        assert.isTrue(
          advice.some(
            ({ code, subject }: { readonly code: string; readonly subject: string }) =>
              code === "mend_what_was_measured" && subject === "acme.test google.com"
          )
        )
        // What is old proves nothing any more, and says so.
        google.fails = fail("transient")
        google.failsAfter = 0
        yield* later("5 days")
        const old = (yield* atGoogle).receiver
        assert.strictEqual(old.state, "unknown")
        assert.include(old.evidence[0].says, "too long ago to count")
      }).pipe(Effect.orDie)
    )

    it.effect(
      "a quota, a failure and a consent that is gone each do what they should, and lose nothing that was read",
      () =>
        Effect.gen(function* () {
          const { again, by, client, google, later, readings, store, tools, turn } = yield* begun
          google.domains.set("acme.test", WELL)
          yield* tools.connect(by, GRANT)
          // It breaks off between two questions: nothing half is kept.
          google.fails = fail("rate_limited", 7_200)
          google.failsAfter = 3
          assert.deepInclude(yield* turn, { _tag: "Wait", millis: 2 * HOUR_MILLIS })
          assert.isEmpty(yield* readings)
          google.fails = fail("transient")
          google.failsAfter = 0
          assert.deepInclude(yield* later("2 hours"), { _tag: "Wait", millis: 2 * HOUR_MILLIS })
          google.fails = null
          yield* later("2 hours")
          assert.lengthOf(yield* readings, 1)
          google.fails = fail("account")
          assert.strictEqual((yield* later("1 day"))._tag, "Done")
          const gone = yield* tools.standing(by)
          assert.isNotNull(gone.connection?.refusedAtMillis ?? null)
          assert.notProperty(gone.connection, "sealedGrant")
          assert.lengthOf(gone.readings, 1)
          // Nobody asks with it again, until an owner consents anew.
          const asked = google.asked
          yield* later("2 days")
          assert.strictEqual(google.asked, asked)
          google.fails = null
          yield* tools.connect(yield* again, GRANT)
          yield* turn
          assert.isAbove(google.asked, asked)
          yield* tools.disconnect(by)
          assert.isEmpty(yield* readings)
          assert.strictEqual((yield* turn)._tag, "Done")
          const lost = yield* makeLostPostmasters
          yield* TestClock.adjust("3 days")
          const key = postmasterJob(client.workspaceId).key
          const isLost = Effect.map(lost(10_000), (jobs) => jobs.some((job) => job.key === key))
          assert.isFalse(yield* isLost)
          yield* tools.connect(yield* again, GRANT)
          yield* TestClock.adjust("3 days")
          assert.isTrue(yield* isLost)
          assert.isTrue((yield* store.get(client.workspaceId))._tag === "Some")
        }).pipe(Effect.orDie)
    )

    it.effect("a refresh token that was replaced is the one that is used next", () =>
      Effect.gen(function* () {
        const { by, google, later, tools, turn } = yield* begun
        google.rotates = true
        yield* tools.connect(by, GRANT)
        yield* turn
        yield* later("1 day")
        assert.deepStrictEqual(google.grants, ["refresh 0", "refresh 1"])
      }).pipe(Effect.orDie)
    )

    it.effect("owners alone connect, with a fresh sign-in, and the control log says so without the grant", () =>
      Effect.gen(function* () {
        const { by, client, tools } = yield* begun
        const member = yield* colleague(by)
        yield* refusedBy("owner_required", tools.mayConnect(member))
        yield* refusedBy("owner_required", tools.connect(member, GRANT))
        yield* growStale
        yield* refusedBy("reauthentication_required", tools.mayConnect(by))
        yield* tools.connect(by, GRANT)
        const log = yield* ControlLog
        const page = yield* log.page({ workspaceId: client.workspaceId, keyId: null, limit: 10, before: null })
        assert.strictEqual(page[0]?.action, "set_postmaster")
        assert.notInclude(JSON.stringify(page), "refresh")
      }).pipe(Effect.orDie)
    )
  })
}
