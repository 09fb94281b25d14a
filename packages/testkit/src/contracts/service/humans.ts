import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { assert, layer as describeLayer } from "@effect/vitest"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import type { Client } from "../../service/Client.js"
import { freshKey, grant, member, ok, PURCHASE, refused, type ServiceOnStores, SUITE, trailOf } from "./stories.js"

const idOf = (approvalUrl: string): string => approvalUrl.slice(approvalUrl.lastIndexOf("/") + 1)

let joined = 0

const joinAs = (email: string, workspaceId: string) =>
  Effect.gen(function* () {
    const [users, ids] = [yield* UserStore, yield* Ids]
    const { atomically } = yield* UnitOfWork
    const atMillis = yield* Clock.currentTimeMillis
    yield* atomically(users.ensureMember({ userId: ids.next(atMillis), email, workspaceId, role: "member", atMillis }))
  })

/** Somebody else of the client's workspace. No verb invites one. */
const join = (client: Client) => {
  const email = `member-${(joined += 1)}-${process.pid}@example.test`
  return Effect.as(joinAs(email, client.workspaceId), email)
}

const enter = (email: string) =>
  Effect.gen(function* () {
    const console = yield* Console
    return Option.getOrThrow(yield* console.signIn(yield* console.makeSignInLink(email)))
  })

/** The human side. */
export const humansContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`the console's service (${name})`, (it) => {
    it.effect("a sign-in link is good once, for ten minutes, and looking at it spends nothing", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const console = yield* Console
        const link = yield* console.makeSignInLink(client.ownerEmail.toUpperCase())
        yield* TestClock.adjust(10 * 60_000 - 1)
        assert.isTrue(yield* console.isLinkOpen(link))
        assert.isTrue(yield* console.isLinkOpen(link))
        const tries = yield* Effect.all(
          Array.from({ length: 10 }, () => console.signIn(link)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(tries.filter(Option.isSome), 1)
        assert.isFalse(yield* console.isLinkOpen(link))
        const late = yield* console.makeSignInLink(client.ownerEmail)
        yield* TestClock.adjust("10 minutes")
        assert.isFalse(yield* console.isLinkOpen(late))
        assert.isTrue(Option.isNone(yield* console.signIn(late)))
        assert.isTrue(Option.isNone(yield* console.signIn("made up")))
        const nobody = yield* Effect.flip(console.makeSignInLink("nobody@example.test"))
        assert.deepInclude(nobody, { code: "not_found" })
      }).pipe(Effect.orDie)
    )

    it.effect("a link opens the workspace that it names, for its members alone", () =>
      Effect.gen(function* () {
        const console = yield* Console
        const client = yield* member()
        const second = yield* member()
        yield* joinAs(client.ownerEmail, second.workspaceId)
        const link = yield* console.makeSignInLink(client.ownerEmail, second.workspaceId)
        const { signedIn } = Option.getOrThrow(yield* console.signIn(link))
        assert.deepStrictEqual([signedIn.session.workspaceId, signedIn.role], [second.workspaceId, "member"])
        const foreign = yield* Effect.flip(console.makeSignInLink(second.ownerEmail, client.workspaceId))
        assert.deepInclude(foreign, { code: "not_found" })
      }).pipe(Effect.orDie)
    )

    it.effect("a printed link opens its sandbox alone, though its owner's first workspace is live", () =>
      Effect.gen(function* () {
        const console = yield* Console
        const live = yield* member({ kind: "live" })
        const sandbox = yield* member()
        yield* joinAs(live.ownerEmail, sandbox.workspaceId)
        const refusedForLive = yield* Effect.flip(console.makeStartLink(live.ownerEmail, live.workspaceId))
        assert.deepInclude(refusedForLive, { code: "not_found" })

        const own = yield* enter(live.ownerEmail)
        assert.strictEqual(own.signedIn.session.workspaceId, live.workspaceId)
        const link = yield* console.makeStartLink(live.ownerEmail, sandbox.workspaceId)
        const printed = Option.getOrThrow(yield* console.signIn(link))
        const { beganBy, workspaceId } = printed.signedIn.session
        assert.deepStrictEqual([beganBy, workspaceId], ["start_link", sandbox.workspaceId])

        // Nor can it end the sessions that the owner has elsewhere.
        yield* console.signOutEverywhere(printed.signedIn)
        assert.isTrue(Option.isNone(yield* console.session(printed.secret)))
        assert.isTrue(Option.isSome(yield* console.session(own.secret)))
      }).pipe(Effect.orDie)
    )

    it.effect("a session lasts seven days, or until its user leaves", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const console = yield* Console
        const [one, other] = [yield* enter(client.ownerEmail), yield* enter(client.ownerEmail)]
        const { session, user, role } = Option.getOrThrow(yield* console.session(one.secret))
        assert.deepStrictEqual(
          [session.workspaceId, user.email, role],
          [client.workspaceId, client.ownerEmail, "owner"]
        )
        yield* console.signOut(one.secret)
        assert.isTrue(Option.isNone(yield* console.session(one.secret)))
        yield* TestClock.adjust(7 * DAY_MILLIS - 1)
        assert.isTrue(Option.isSome(yield* console.session(other.secret)))
        yield* TestClock.adjust(1)
        assert.isTrue(Option.isNone(yield* console.session(other.secret)))
        assert.isTrue(Option.isNone(yield* console.session("made up")))
      }).pipe(Effect.orDie)
    )

    it.effect("a member decides too, and the trail says who it was", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const console = yield* Console
        yield* grant(client, "10000")
        const email = yield* join(client)
        const { signedIn } = yield* enter(email)
        const quote = ok(yield* client.call("setup_sending", PURCHASE))
        const approvalId = idOf(quote.result.approval_url)
        const listed = yield* console.approvals(client.workspaceId, "pending")
        assert.deepStrictEqual(
          listed.map(({ approval, keyName }) => [approval.approvalId, keyName]),
          [[approvalId, "test"]]
        )
        const { snapshotDigest } = listed[0]!.approval
        const decided = yield* console.decide(signedIn, approvalId, "approve", snapshotDigest)
        assert.deepStrictEqual(Option.getOrNull(decided), "approved")
        assert.isEmpty(yield* console.approvals(client.workspaceId, "pending"))
        const closed = yield* console.approvals(client.workspaceId, "closed")
        assert.deepStrictEqual(
          closed.map((summary) => summary.decidedByEmail),
          [email]
        )
        const [approved] = yield* trailOf(client, { kind: "approved" })
        assert.strictEqual(approved?.detail.by, email)
        const { confirmation_token } = quote.result
        ok(yield* client.call("setup_sending", { ...PURCHASE, confirmation_token }, { key: freshKey() }))
      }).pipe(Effect.orDie)
    )

    it.effect("nobody sees or decides what another workspace asks", () =>
      Effect.gen(function* () {
        const [client, stranger] = [yield* member(), yield* member()]
        const console = yield* Console
        const quote = ok(yield* client.call("setup_sending", PURCHASE))
        const approvalId = idOf(quote.result.approval_url)
        const { approval } = Option.getOrThrow(yield* console.approval(client.workspaceId, approvalId))
        const { signedIn } = yield* enter(stranger.ownerEmail)
        const decided = yield* console.decide(signedIn, approvalId, "approve", approval.snapshotDigest)
        assert.isTrue(Option.isNone(decided))
        assert.isTrue(Option.isNone(yield* console.approval(stranger.workspaceId, approvalId)))
        assert.isEmpty(yield* console.approvals(stranger.workspaceId, "pending"))
        const { confirmation_token } = quote.result
        refused(
          yield* client.call("setup_sending", { ...PURCHASE, confirmation_token }, { key: freshKey() }),
          428,
          "confirmation_required"
        )
      }).pipe(Effect.orDie)
    )
  })
}
