import { assert, it } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import type { Attempt, Settlement } from "@outbound/domain/calls/Attempt.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { ErasureStore } from "@outbound/domain/control/erasure/ErasureStore.js"
import { RetentionStore, type SubjectCursor } from "@outbound/domain/control/erasure/RetentionStore.js"
import { DirectoryStore } from "@outbound/domain/data/directory/DirectoryStore.js"
import type { KeptPerson } from "@outbound/domain/data/directory/Records.js"
import { VerdictStore } from "@outbound/domain/data/verification/VerdictStore.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { type StoreUnavailable, type Tx, UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { ListStore } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import type { OperationStore } from "@outbound/domain/outreach/operations/OperationStore.js"
import { Effect, type Layer } from "effect"
import { admitted, anAttempt, claimOf, givenCaller, outcomeOf, settlementOf } from "./calls.js"
import { asOf, DAY, freshId, givenWorkspace, HOUR, idAt, NOON, SUITE } from "./fixtures.js"
import { givenList } from "./listRows.js"
import { appended, eventIn } from "./seals.js"

type Stores =
  | CallJournal
  | CreditStore
  | DirectoryStore
  | ErasureStore
  | KeyStore
  | ListStore
  | OperationStore
  | RetentionStore
  | TrailStore
  | UnitOfWork
  | VerdictStore
  | WorkspaceStore

const within = <A>(write: Effect.Effect<A, StoreUnavailable, Tx>) =>
  Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

export const SOMEBODY: Omit<KeptPerson, "fingerprint" | "importedAtMillis"> = {
  fullName: "Ann Ames",
  firstName: null,
  lastName: null,
  title: null,
  companyName: null,
  companyDomain: null,
  city: null,
  country: null,
  socialUrl: null,
  headcount: null,
  industry: null,
  region: null,
  workEmail: null,
  emailStatus: null,
  mobilePhone: null,
  observedAtMillis: null,
  listFile: null,
  listLine: null
}

/** Each of these counts, until there is nothing left. */
const untilNone = (forget: Effect.Effect<number, StoreUnavailable, UnitOfWork>) =>
  Effect.gen(function* () {
    const counts: Array<number> = []
    do counts.push(yield* forget)
    while (counts.at(-1) !== 0)
    return counts
  })

/** A call that began then and left this. */
export const called = (
  keyHash: string,
  atMillis: number,
  left: Partial<Settlement> = {},
  given: Partial<Attempt> = {}
) =>
  Effect.gen(function* () {
    const journal = yield* CallJournal
    const claim = claimOf(freshId(), "body")
    const attempt = (requestId: string) =>
      anAttempt(keyHash, { requestId, nowMillis: atMillis, idempotency: claim, ...given })
    const call = yield* admitted(attempt(given.requestId ?? idAt(atMillis)))
    const settle = journal.settle(settlementOf(call, { outcome: outcomeOf(call, "{}"), ...left }))
    const again = Effect.map(journal.admit(attempt(freshId())), ({ _tag }) => _tag)
    return { requestId: call.requestId, settle, again }
  })

/** What every store of retention guarantees: what is too old is forgotten, to its very moment, and nothing beside it. */
export const retainingContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  it.layer(adapter, SUITE)(`retention (${name})`, (it) => {
    it.effect("the trail forgets who was last seen by then, page by page, in every workspace", () =>
      Effect.gen(function* () {
        const [store, trail] = [yield* RetentionStore, yield* TrailStore]
        const workspaces = [freshId(), freshId()] as const
        const seen = [
          [workspaces[0], "a@x.test", NOON - HOUR],
          [workspaces[0], "b@x.test", NOON],
          [workspaces[0], "c@x.test", NOON + 1],
          [workspaces[1], "a@x.test", NOON + HOUR],
          [workspaces[1], "b@x.test", NOON - DAY]
        ] as const
        for (const [workspaceId, email, atMillis] of seen)
          yield* appended(eventIn(workspaceId, { email })).pipe(asOf(atMillis))
        const walk = (limit: number) =>
          Effect.gen(function* () {
            const counts: Array<number> = []
            let after: SubjectCursor | null = null
            do {
              const looked: { readonly forgotten: number; readonly next: SubjectCursor | null } = yield* within(
                store.forgetUnseen(NOON, after, limit)
              )
              counts.push(looked.forgotten)
              after = looked.next
            } while (after !== null)
            return counts
          })
        assert.deepStrictEqual(yield* walk(2), [2, 0, 1])
        assert.isTrue((yield* walk(1)).every((count) => count === 0))
        const named = (workspaceId: string) =>
          Effect.map(
            trail.page({
              workspaceId,
              campaignId: null,
              email: null,
              kinds: [],
              sinceMillis: null,
              untilMillis: null,
              limit: 9,
              after: null
            }),
            (found) => found.map(({ email }) => email ?? "nobody").toSorted()
          ).pipe(asOf(NOON))
        assert.deepStrictEqual(yield* named(workspaces[0]), ["c@x.test", "nobody", "nobody"])
        assert.deepStrictEqual(yield* named(workspaces[1]), ["a@x.test", "nobody"])
      })
    )

    it.effect("a page that ends with the last person leads to one more, which is empty", () =>
      Effect.gen(function* () {
        const store = yield* RetentionStore
        const workspaceId = freshId()
        yield* appended(eventIn(workspaceId, { email: "a@x.test" }), eventIn(workspaceId, { email: "b@x.test" })).pipe(
          asOf(NOON)
        )
        const before = { workspaceId, subjectId: "0" }
        const first = yield* within(store.forgetUnseen(NOON - 1, before, 2))
        assert.deepStrictEqual([first.forgotten, first.next?.workspaceId], [0, workspaceId])
        assert.deepStrictEqual(yield* within(store.forgetUnseen(NOON, first.next, 2)), { forgotten: 0, next: null })
        assert.deepStrictEqual(yield* within(store.forgetUnseen(NOON, before, 3)), { forgotten: 2, next: null })
      })
    )

    it.effect("outcomes of calls that began before then, of other verbs, once they have ended", () =>
      Effect.gen(function* () {
        const [store, erasures] = [yield* RetentionStore, yield* ErasureStore]
        const { keyHash, workspaceId } = yield* givenCaller("100")
        const other = yield* givenCaller("100")
        const ann = { subjects: ["ann"] }
        const [old, older] = [yield* called(keyHash, NOON - 1, ann), yield* called(keyHash, NOON - DAY, ann)]
        const theirs = yield* called(other.keyHash, NOON - HOUR, ann)
        const [atOnce, running] = [yield* called(keyHash, NOON, ann), yield* called(keyHash, NOON - HOUR, ann)]
        const kept = yield* called(keyHash, NOON - HOUR, ann, { verb: "find_leads" })
        const late = yield* called(keyHash, NOON, ann, { requestId: idAt(NOON - HOUR) })
        for (const { settle } of [old, older, theirs, atOnce, kept, late]) yield* settle
        const forget = within(store.forgetOutcomes(NOON, ["find_leads", "launch_campaign"], 1))
        assert.deepStrictEqual(yield* untilNone(forget), [1, 1, 1, 0])
        for (const { again } of [old, older, theirs]) assert.strictEqual(yield* again, "Admitted")
        for (const { again } of [atOnce, kept, late]) assert.strictEqual(yield* again, "Replay")
        assert.strictEqual(yield* running.again, "InProgress")
        const found = yield* erasures.outcomes(workspaceId, ["ann"], { after: null, limit: 9 })
        assert.sameMembers(
          found.map(({ requestId }) => requestId),
          [atOnce, kept, late].map(({ requestId }) => requestId)
        )
      })
    )

    it.effect("kept contacts that have expired, with whom they are about, some at a time", () =>
      Effect.gen(function* () {
        const [store, erasures] = [yield* RetentionStore, yield* ErasureStore]
        const { keyHash, workspaceId } = yield* givenCaller("100")
        const other = yield* givenCaller("100")
        const keep = (keyOf: string, personKey: string, expiresAtMillis: number) =>
          Effect.gen(function* () {
            const cache = { personKey, contact: personKey, emailLookedUp: true, mobileSearched: false, expiresAtMillis }
            const call = yield* called(keyOf, NOON - 2 * DAY, { cache, subjects: ["ann"] })
            yield* call.settle
          })
        yield* keep(keyHash, "over", NOON - DAY)
        yield* keep(keyHash, "now", NOON)
        yield* keep(keyHash, "later", NOON + 1)
        yield* keep(other.keyHash, "over", NOON + 1)
        yield* keep(other.keyHash, "now", NOON)
        const forget = within(store.forgetContacts(NOON, 2))
        assert.deepStrictEqual(yield* untilNone(forget), [2, 1, 0])
        assert.deepStrictEqual(yield* erasures.contacts(workspaceId, ["ann"], 9), ["later"])
        assert.deepStrictEqual(yield* erasures.contacts(other.workspaceId, ["ann"], 9), ["over"])
      })
    )

    it.effect("verdicts that were found before then, some at a time", () =>
      Effect.gen(function* () {
        const [store, verdicts] = [yield* RetentionStore, yield* VerdictStore]
        const { keyHash, workspaceId } = yield* givenCaller("100")
        const other = yield* givenCaller("100")
        const judge = (addressHash: string, settledAtMillis: number, by = keyHash) =>
          Effect.gen(function* () {
            const verdict = { addressHash, status: "valid" } as const
            const call = yield* called(by, NOON - 2 * DAY, { verdict, settledAtMillis })
            yield* call.settle
          })
        yield* judge("ann", NOON - 1)
        yield* judge("bob", NOON - DAY)
        yield* judge("cem", NOON)
        yield* judge("ann", NOON, other.keyHash)
        const forget = within(store.forgetVerdicts(NOON, 1))
        assert.deepStrictEqual(yield* untilNone(forget), [1, 1, 0])
        assert.deepStrictEqual([...(yield* verdicts.find(workspaceId, ["ann", "bob", "cem"])).keys()], ["cem"])
        assert.deepStrictEqual([...(yield* verdicts.find(other.workspaceId, ["ann"])).keys()], ["ann"])
      })
    )

    it.effect(
      "what rows of lists were given and said, and of whom, once they have ended before then; the rows stay",
      () =>
        Effect.gen(function* () {
          const [store, lists, erasures] = [yield* RetentionStore, yield* ListStore, yield* ErasureStore]
          const journal = yield* CallJournal
          const caller = yield* givenCaller("100")
          const list = yield* givenList(4, caller.workspaceId)
          const { workspaceId } = list
          const rowIds = list.rows.map(({ rowId }) => rowId)
          yield* within(lists.begin(workspaceId, rowIds.slice(0, 3)))
          for (const [at, endedAtMillis] of [NOON - DAY, NOON - 1, NOON].entries()) {
            const row = { workspaceId, rowId: rowIds[at] ?? "", charged: credits("0.25"), body: "{}" }
            yield* within(lists.end(row, "done", endedAtMillis))
            const call = yield* admitted(anAttempt(caller.keyHash, { requestId: row.rowId }))
            yield* journal.settle(settlementOf(call, { subjects: ["ann"], isListed: true }))
          }
          const all = lists.page(list.ref, -1, 9)
          const before = yield* all
          assert.strictEqual(before[0]?.addressHash, "hash")
          const forget = within(store.forgetRows(NOON, 1))
          assert.deepStrictEqual(yield* untilNone(forget), [1, 1, 0])
          const empty = { input: null, body: null, uploaded: null, addressHash: null }
          assert.deepStrictEqual(
            yield* all,
            before.map((row, at) => (at < 2 ? { ...row, ...empty } : row))
          )
          assert.strictEqual(yield* within(erasures.forgetNamed(workspaceId, ["ann"], 9)), 1)
        })
    )

    it.effect("rows of the directory that no list has named since, of that person in that workspace alone", () =>
      Effect.gen(function* () {
        const [store, directory] = [yield* RetentionStore, yield* DirectoryStore]
        const [us, them] = [yield* givenWorkspace(), yield* givenWorkspace()]
        const put = ({ workspaceId }: typeof us, fingerprint: string, importedAtMillis: number) =>
          within(directory.putPeople(workspaceId, [{ ...SOMEBODY, fingerprint, importedAtMillis }]))
        yield* put(us, "ann", NOON - 1)
        yield* put(us, "bob", NOON - DAY)
        yield* put(us, "cem", NOON)
        yield* put(them, "ann", NOON)
        assert.deepStrictEqual(yield* untilNone(within(store.forgetPeople(NOON, 1))), [1, 1, 0])
        const left = ({ workspaceId }: typeof us) =>
          Effect.map(directory.people(workspaceId, ["ann", "bob", "cem"]), (found) =>
            found.map(({ fingerprint }) => fingerprint)
          )
        assert.deepStrictEqual([yield* left(us), yield* left(them)], [["cem"], ["ann"]])
      })
    )
  })
}
