import { assert, it } from "@effect/vitest"
import type { Settlement } from "@outbound/domain/calls/Attempt.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { ErasureStore } from "@outbound/domain/control/erasure/ErasureStore.js"
import { EnrichmentCache } from "@outbound/domain/data/enrichment/EnrichmentCache.js"
import { OfferStore } from "@outbound/domain/data/leads/OfferStore.js"
import { VerdictStore } from "@outbound/domain/data/verification/VerdictStore.js"
import { type StoreUnavailable, type Tx, UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { SavedAnswerStore } from "@outbound/domain/outreach/replies/SavedAnswerStore.js"
import { LaterStore } from "@outbound/domain/sources/LaterStore.js"
import { Effect, type Layer, Option } from "effect"
import { admitted, anAttempt, claimOf, givenCaller, outcomeOf, settlementOf } from "./calls.js"
import { personIn } from "./erasing.js"
import { DAY, freshId, givenWorkspace, HOUR, NOON, SUITE } from "./fixtures.js"
import { anOffer } from "./offers.js"
import { appended, eventIn } from "./seals.js"

type Stores =
  | CallJournal
  | CreditStore
  | EnrichmentCache
  | ErasureStore
  | KeyStore
  | LaterStore
  | OfferStore
  | SavedAnswerStore
  | TrailStore
  | UnitOfWork
  | VerdictStore
  | WorkspaceStore

const ANN = "ann@example.com"
const BOB = "bob@example.com"

const within = <A>(write: Effect.Effect<A, StoreUnavailable, Tx>) =>
  Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

/** A call of theirs that left this, and what a repeat of it gets. */
const called = (keyHash: string, left: Partial<Settlement> & { readonly body?: string }) =>
  Effect.gen(function* () {
    const journal = yield* CallJournal
    const key = freshId()
    const attempt = (requestId: string) => anAttempt(keyHash, { requestId, idempotency: claimOf(key, "body") })
    const { body, ...settlement } = left
    const call = yield* admitted(attempt(freshId()))
    const outcome = body === undefined ? null : outcomeOf(call, body)
    yield* journal.settle(settlementOf(call, { outcome, ...settlement }))
    const again = Effect.map(journal.admit(attempt(freshId())), (answer) =>
      answer._tag === "Replay" ? answer.outcome.body : answer._tag
    )
    return { requestId: call.requestId, again }
  })

const inOrder = <Call extends { readonly requestId: string }>(calls: ReadonlyArray<Call>) =>
  calls.toSorted((one, other) => (one.requestId < other.requestId ? -1 : 1))

/** What an erasure finds of what calls found out, and of text that may name somebody, in every store of erasures. */
export const erasingFindingsContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  it.layer(adapter, SUITE)(`what an erasure finds (${name})`, (it) => {
    it.effect("outcomes that name one of the subjects, each once, in pages, of no other subject or workspace", () =>
      Effect.gen(function* () {
        const store = yield* ErasureStore
        const { keyHash, workspaceId } = yield* givenCaller("100")
        const other = yield* givenCaller("100")
        const theirs = inOrder([
          yield* called(keyHash, { body: "both", subjects: ["ann", "contact"] }),
          yield* called(keyHash, { body: "ann", subjects: ["ann"] }),
          yield* called(keyHash, { body: "contact", subjects: ["contact", "bob"] })
        ])
        yield* called(keyHash, { body: "bob", subjects: ["bob"] })
        const stranger = yield* called(other.keyHash, { body: "theirs", subjects: ["ann"] })
        const page = (after: string | null, limit: number) =>
          Effect.map(store.outcomes(workspaceId, ["ann", "contact"], { after, limit }), (found) =>
            found.map(({ body, requestId }) => ({ body, requestId }))
          )
        const all = yield* page(null, 9)
        assert.deepStrictEqual(
          all.map(({ requestId }) => requestId),
          theirs.map(({ requestId }) => requestId)
        )
        assert.sameMembers(
          all.map(({ body }) => body),
          ["both", "ann", "contact"]
        )
        assert.deepStrictEqual(yield* page(null, 2), all.slice(0, 2))
        assert.deepStrictEqual(yield* page(all[1]?.requestId ?? null, 2), all.slice(2))
        yield* within(store.rewriteOutcome(workspaceId, { requestId: stranger.requestId, body: "not ours" }))
        assert.strictEqual(yield* stranger.again, "theirs")
      })
    )

    it.effect("a rewritten outcome is what its own call's repeats get; a forgotten subject leads to it no more", () =>
      Effect.gen(function* () {
        const store = yield* ErasureStore
        const { keyHash, workspaceId } = yield* givenCaller("100")
        const first = yield* called(keyHash, { body: "first", subjects: ["ann", "bob"] })
        const second = yield* called(keyHash, { body: "second", subjects: ["ann"] })
        yield* within(store.rewriteOutcome(workspaceId, { requestId: first.requestId, body: "erased" }))
        assert.deepStrictEqual([yield* first.again, yield* second.again], ["erased", "second"])
        const of = (subject: string) =>
          Effect.map(store.outcomes(workspaceId, [subject], { after: null, limit: 9 }), (found) =>
            found.map(({ body }) => body)
          )
        yield* within(store.forgetSubjects(freshId(), ["ann"], [first.requestId]))
        assert.deepStrictEqual(yield* of("ann"), ["erased", "second"])
        yield* within(store.forgetSubjects(workspaceId, ["ann"], [first.requestId]))
        assert.deepStrictEqual([yield* of("ann"), yield* of("bob")], [["second"], ["erased"]])
      })
    )

    it.effect(
      "the calls of rows of lists that name one of the subjects, some at a time, and no call's that left an outcome",
      () =>
        Effect.gen(function* () {
          const [store, journal] = [yield* ErasureStore, yield* CallJournal]
          const { keyHash, workspaceId } = yield* givenCaller("100")
          const other = yield* givenCaller("100")
          const row = (by: string, left: Partial<Settlement>) =>
            Effect.flatMap(admitted(anAttempt(by)), (call) => journal.settle(settlementOf(call, left)))
          yield* called(keyHash, { body: "kept", subjects: ["ann"] })
          yield* row(keyHash, { subjects: ["ann", "contact"], isListed: true })
          yield* row(keyHash, { subjects: ["ann", "bob"], isListed: true })
          yield* row(keyHash, { subjects: ["ann"] })
          yield* row(other.keyHash, { subjects: ["ann"], isListed: true })
          const forget = (of: string, subjects: ReadonlyArray<string>, limit: number) =>
            within(store.forgetNamed(of, subjects, limit))
          const theirs = forget(workspaceId, ["ann", "contact"], 2)
          assert.deepStrictEqual([yield* theirs, yield* theirs, yield* theirs], [2, 1, 0])
          assert.deepStrictEqual(
            [yield* forget(workspaceId, ["bob"], 9), yield* forget(other.workspaceId, ["ann"], 9)],
            [1, 1]
          )
          const left = yield* store.outcomes(workspaceId, ["ann"], { after: null, limit: 9 })
          assert.deepStrictEqual(
            left.map(({ body }) => body),
            ["kept"]
          )
        })
    )

    it.effect("kept contacts of the subjects, some at a time, and nobody else's", () =>
      Effect.gen(function* () {
        const [store, cache] = [yield* ErasureStore, yield* EnrichmentCache]
        const { keyHash, workspaceId } = yield* givenCaller("100")
        const other = yield* givenCaller("100")
        const kept = (personKey: string) => ({
          personKey,
          contact: `the contact of ${personKey}`,
          emailLookedUp: true,
          mobileSearched: false,
          expiresAtMillis: NOON + 90 * DAY
        })
        yield* called(keyHash, { cache: kept("one"), subjects: ["ann", "ann's fingerprint"] })
        yield* called(keyHash, { cache: kept("two"), subjects: ["ann"] })
        yield* called(keyHash, { cache: kept("three"), subjects: ["bob"] })
        yield* called(other.keyHash, { cache: kept("one"), subjects: ["ann"] })
        const subjects = ["ann", "ann's fingerprint"]
        const found = (limit = 9) => store.contacts(workspaceId, subjects, limit)
        assert.sameMembers([...(yield* found())], ["the contact of one", "the contact of two"])
        assert.lengthOf(yield* found(1), 1)
        const forget = within(store.forgetContacts(workspaceId, subjects, 1))
        assert.deepStrictEqual([yield* forget, (yield* found()).length], [1, 1])
        assert.deepStrictEqual([yield* forget, yield* forget, (yield* found()).length], [1, 0, 0])
        const isKept = (of: string, personKey: string) => Effect.map(cache.find(of, personKey, NOON), Option.isSome)
        assert.deepStrictEqual(
          [yield* isKept(workspaceId, "one"), yield* isKept(workspaceId, "two"), yield* isKept(workspaceId, "three")],
          [false, false, true]
        )
        assert.deepStrictEqual(yield* store.contacts(workspaceId, ["bob"], 9), ["the contact of three"])
        assert.deepStrictEqual(yield* store.contacts(other.workspaceId, ["ann"], 9), ["the contact of one"])
      })
    )

    it.effect("late lookups that name one of the subjects, some at a time, and no others", () =>
      Effect.gen(function* () {
        const [store, later] = [yield* ErasureStore, yield* LaterStore]
        const { workspaceId } = yield* givenWorkspace()
        const { workspaceId: elsewhere } = yield* givenWorkspace()
        const asked = (of: string, subjectHash: string, addressHashes: ReadonlyArray<string>) =>
          within(
            later.insert({
              workspaceId: of,
              source: "a_source",
              subjectHash,
              followUpId: freshId(),
              requestId: null,
              sealed: "the request",
              addressHashes,
              afterMillis: HOUR,
              keepMillis: DAY
            })
          )
        yield* asked(workspaceId, "1", ["bob", "ann"])
        yield* asked(workspaceId, "2", ["contact"])
        yield* asked(workspaceId, "3", ["bob"])
        yield* asked(elsewhere, "1", ["ann"])
        const forget = within(store.forgetFollowUps(workspaceId, ["ann", "contact"], 1))
        assert.deepStrictEqual([yield* forget, yield* forget, yield* forget], [1, 1, 0])
        const isKept = (of: string, subjectHash: string) =>
          Effect.map(later.find({ workspaceId: of, source: "a_source", subjectHash }), Option.isSome)
        assert.deepStrictEqual(
          [yield* isKept(workspaceId, "1"), yield* isKept(workspaceId, "2"), yield* isKept(workspaceId, "3")],
          [false, false, true]
        )
        assert.isTrue(yield* isKept(elsewhere, "1"))
      })
    )

    it.effect("who was known leaves the premium offers of their workspace, in which the others stay", () =>
      Effect.gen(function* () {
        const [store, offers] = [yield* ErasureStore, yield* OfferStore]
        const { workspaceId } = yield* givenWorkspace()
        const { workspaceId: elsewhere } = yield* givenWorkspace()
        const offered = (of: string, known: ReadonlyArray<string>) =>
          Effect.gen(function* () {
            const offer = anOffer({ workspaceId: of, known })
            yield* within(offers.insert(offer))
            return Effect.map(offers.find(of, offer.tokenHash), (found) => Option.getOrThrow(found).offer.known)
          })
        const [both, alone] = [yield* offered(workspaceId, ["ann", "bob"]), yield* offered(workspaceId, ["ann"])]
        const [bob, stranger] = [yield* offered(workspaceId, ["bob"]), yield* offered(elsewhere, ["ann"])]
        yield* within(store.forgetOffered(workspaceId, ["ann", "contact"]))
        assert.deepStrictEqual(
          [yield* both, yield* alone, yield* bob, yield* stranger],
          [["bob"], [], ["bob"], ["ann"]]
        )
      })
    )

    it.effect("the verdict on their address, once, and on no other one", () =>
      Effect.gen(function* () {
        const [store, verdicts] = [yield* ErasureStore, yield* VerdictStore]
        const { keyHash, workspaceId } = yield* givenCaller("100")
        const other = yield* givenCaller("100")
        const ann = personIn(workspaceId, ANN)
        const { addressHash } = ann
        yield* called(keyHash, { verdict: { addressHash, status: "valid" } })
        yield* called(keyHash, { verdict: { addressHash: "bob", status: "valid" } })
        yield* called(other.keyHash, { verdict: { addressHash, status: "valid" } })
        const forget = within(store.forgetVerdict(ann))
        assert.deepStrictEqual([yield* forget, yield* forget], [1, 0])
        const known = (of: string) => Effect.map(verdicts.find(of, [addressHash, "bob"]), (found) => [...found.keys()])
        assert.deepStrictEqual([yield* known(workspaceId), yield* known(other.workspaceId)], [["bob"], [addressHash]])
      })
    )

    it.effect("the trail forgets an address once, keeps its events, and forgets nobody else", () =>
      Effect.gen(function* () {
        const [store, trail] = [yield* ErasureStore, yield* TrailStore]
        const [workspaceId, elsewhere] = [freshId(), freshId()]
        for (const of of [workspaceId, elsewhere]) {
          yield* appended(eventIn(of, { email: ANN }), eventIn(of, { email: BOB, observedAtMillis: NOON - 1 }))
        }
        const forget = within(store.forgetSubject(personIn(workspaceId, ANN), NOON))
        assert.deepStrictEqual([yield* forget, yield* forget], [true, false])
        const filter = { campaignId: null, email: null, kinds: [], sinceMillis: null, untilMillis: null, limit: 9 }
        const named = (of: string) =>
          Effect.map(trail.page({ ...filter, workspaceId: of, after: null }), (found) =>
            found.map(({ email }) => email)
          )
        assert.deepStrictEqual(yield* named(workspaceId), [null, BOB])
        assert.deepStrictEqual(yield* named(elsewhere), [ANN, BOB])
      })
    )

    const saved = (workspaceId: string, body: string) =>
      Effect.gen(function* () {
        const savedAnswerId = freshId()
        const title = savedAnswerId
        const answer = { workspaceId, savedAnswerId, title, body, savedBy: "owner@corp.example", savedAtMillis: NOON }
        yield* within((yield* SavedAnswerStore).put(answer))
        return savedAnswerId
      })

    const wordsOf = (workspaceId: string, email: string, after: string | null, limit: number) =>
      Effect.map(
        Effect.flatMap(ErasureStore, (store) =>
          store.words("saved_answers", personIn(workspaceId, email), { after, limit })
        ),
        ({ found, next }) => ({ found: found.map(({ id, text }) => [id, JSON.parse(text).body]), next })
      )

    it.effect("text that says their address, however it is written, page by page to the last row", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        const { workspaceId: elsewhere } = yield* givenWorkspace()
        const bodies = ["Ask ANN@example.com.", "Nobody.", "ann@example.com", "Nor here.", "\u{1F4EC} Ann@Example.Com"]
        const ids = yield* Effect.forEach(bodies, (body) => saved(workspaceId, body))
        yield* saved(elsewhere, ANN)
        const row = (at: number) => [ids[at], bodies[at]]
        const page = (after: string | null, limit: number) => wordsOf(workspaceId, ANN, after, limit)
        assert.deepStrictEqual(yield* page(null, 2), { found: [row(0)], next: ids[1] ?? "" })
        assert.deepStrictEqual(yield* page(ids[1] ?? "", 2), { found: [row(2)], next: ids[3] ?? "" })
        assert.deepStrictEqual(yield* page(ids[3] ?? "", 2), { found: [row(4)], next: null })
        assert.deepStrictEqual(yield* page(null, 5), { found: [row(0), row(2), row(4)], next: ids[4] ?? "" })
        assert.deepStrictEqual(yield* page(ids[4] ?? "", 5), { found: [], next: null })
        assert.deepStrictEqual(yield* page(null, 6), { found: [row(0), row(2), row(4)], next: null })
      })
    )

    it.effect("an address that JSON escapes, and one beyond ASCII in another case", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        const quoted = yield* saved(workspaceId, `Ask "ann b"@example.com.`)
        const umlaut = yield* saved(workspaceId, "Ask JÖRG@example.com.")
        const idsOf = (email: string) =>
          Effect.map(wordsOf(workspaceId, email, null, 9), ({ found }) => found.map(([id]) => id))
        assert.deepStrictEqual(yield* idsOf(`"ann b"@example.com`), [quoted])
        assert.deepStrictEqual(yield* idsOf("jörg@example.com"), [umlaut])
      })
    )

    it.effect("a row's text is replaced in that row of that workspace alone", () =>
      Effect.gen(function* () {
        const store = yield* ErasureStore
        const { workspaceId } = yield* givenWorkspace()
        const { workspaceId: elsewhere } = yield* givenWorkspace()
        const [id, beside] = [yield* saved(workspaceId, "one"), yield* saved(workspaceId, "two")]
        const theirs = yield* saved(elsewhere, "three")
        yield* within(store.rewrite("saved_answers", workspaceId, { id, text: `{"body":"erased"}` }))
        const bodies = (of: string) =>
          Effect.map(
            Effect.flatMap(SavedAnswerStore, ({ list }) => list(of)),
            (found) => found.map(({ body, savedAnswerId }) => [savedAnswerId, body])
          )
        assert.sameDeepMembers(yield* bodies(workspaceId), [
          [id, "erased"],
          [beside, "two"]
        ])
        assert.deepStrictEqual(yield* bodies(elsewhere), [[theirs, "three"]])
      })
    )
  })
}
