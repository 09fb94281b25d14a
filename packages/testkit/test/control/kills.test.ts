import { assert, it } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { type Actor, ControlLog } from "@outbound/domain/control/ControlLog.js"
import { askAgainAfter, makeKillHandler, makeKills } from "@outbound/domain/control/Kills.js"
import { killJob, KillStore } from "@outbound/domain/control/KillStore.js"
import { type Announcement, DONE, LongWork, waitFor } from "@outbound/domain/kernel/ports/LongWork.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { noProviders, Providers } from "@outbound/domain/sources/ports/Providers.js"
import type { OutboundScheduled } from "@outbound/domain/sources/ports/SendingProvider.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { SourceAccessFactory } from "@outbound/domain/sources/SourceAccessFactory.js"
import { Effect, Exit, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { freshId, givenKey, givenWorkspace, HOUR, MINUTE, NOON, SECOND } from "../../src/contracts/fixtures.js"
import { claimsOf, end, givenLaunched, givenMailboxes, makeApproval } from "../../src/contracts/outboundFixtures.js"
import { layer as memory } from "../../src/memory/layer.js"
import * as TestIds from "../../src/memory/TestIds.js"

const OWNER: Actor = { kind: "user", userId: freshId(), email: "ann@acme.test" }

/** A workspace that sends from mailboxes of its provider, and what stops it. */
const given = (
  options: {
    /** What the provider says of a pause; null: none is configured. */
    readonly pauses?: Effect.Effect<void, ProviderFailure> | null
    readonly mailbox?: "purchased" | "own"
    readonly vendors?: Partial<VendorStore["Service"]>
  } = {}
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOON)
    const { atomically } = yield* UnitOfWork
    const asked: Array<string> = []
    const announced: Array<Announcement> = []
    const stored: Array<ReadonlyArray<string>> = []
    const store = yield* KillStore
    const pauses = options.pauses === undefined ? Effect.void : options.pauses
    const sending = {
      name: "scripted",
      schedules: "outbound",
      pauseCampaign: ({ campaignId }: { readonly campaignId: string }) =>
        Effect.andThen(
          Effect.sync(() => void asked.push(campaignId)),
          pauses ?? Effect.void
        )
    } as unknown as OutboundScheduled
    const set = { ...noProviders, sending: pauses === null ? null : sending }
    const services = Layer.mergeAll(
      Layer.succeed(Providers, { sandbox: set, live: set }),
      Layer.succeed(SourceAccessFactory, {} as SourceAccessFactory["Service"]),
      Layer.succeed(LongWork, { announce: (jobs) => Effect.sync(() => void announced.push(...jobs)) }),
      Layer.succeed(KillStore, {
        ...store,
        insert: (kill, campaignIds) =>
          Effect.andThen(
            Effect.sync(() => void stored.push(campaignIds)),
            store.insert(kill, campaignIds)
          )
      }),
      Layer.succeed(VendorStore, { ...(yield* VendorStore), ...options.vendors })
    )
    const kills = yield* Effect.provide(makeKills, services)
    const handler = yield* Effect.provide(makeKillHandler, services)
    const { workspaceId } = yield* givenWorkspace()
    const mailboxes = yield* givenMailboxes(workspaceId, 1, { kind: options.mailbox ?? "purchased" })
    const { campaign } = yield* givenLaunched(workspaceId, mailboxes, ["jo@customer.test"])
    const requestId = freshId()
    const why = { workspaceId, actor: OWNER, source: "console" as const, requestId }
    const stop = (reason = "enough") => kills.stop({ ...why, reason })
    const filter = { workspaceId, campaignId: null, email: null, sinceMillis: null, untilMillis: null, after: null }
    const trail = yield* TrailStore
    const told = (...kinds: Parameters<typeof trail.page>[0]["kinds"] & ReadonlyArray<string>) =>
      trail.page({ ...filter, kinds, limit: 99 })
    const suspension = Effect.map(atomically((yield* WorkspaceStore).lockSending(workspaceId)), (now) => [
      now.suspendedAtMillis,
      now.suspendedReason
    ])
    const campaignId = campaign.campaignId
    const logged = Effect.map((yield* ControlLog).page({ workspaceId, keyId: null, before: null, limit: 9 }), (page) =>
      page.map(({ action, after, before, direction }) => ({ action, after, before, direction }))
    )
    return {
      ...kills,
      logged,
      requestId,
      stored,
      announced,
      asked,
      atomically,
      campaignId,
      handler,
      stop,
      suspension,
      told,
      workspaceId
    }
  })

const story = <E>(name: string, body: Effect.Effect<void, E, Effect.Services<ReturnType<typeof given>> | KeyStore>) =>
  it.effect(name, () => Effect.provide(body, Layer.merge(memory, TestIds.layer)))

/** What takes some time, until it has ended. */
const after = <A, E, R>(seconds: number, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    for (let tick = 0; tick < seconds * 10; tick += 1) yield* TestClock.adjust("100 millis")
    return yield* Fiber.join(fiber)
  })

const fails = Effect.fail(new ProviderFailure({ provider: "scripted", reason: "transient" }))

story(
  "it suspends, pauses what runs, cancels what waits for a person, and leaves a job behind in case its host dies",
  Effect.gen(function* () {
    const made = yield* given()
    const { announced, asked, atomically, campaignId, stop, suspension, told, workspaceId } = made
    const approvals = yield* ApprovalStore
    const { key } = yield* givenKey(workspaceId)
    const ids = { reply: freshId(), campaign: freshId() }
    const open = (["pending", "approved"] as const).map((state, at) =>
      makeApproval({
        workspaceId,
        keyId: key.keyId,
        state,
        target: at === 0 ? `reply:${ids.reply}` : `campaign:${ids.campaign}`
      })
    )
    yield* atomically(Effect.forEach(open, approvals.insert, { discard: true }))
    const kill = yield* stop("wrong list")
    const about = { reason: "wrong list", suspendedAtMillis: NOON, campaignsPaused: 1, approvalsCancelled: 2 }
    assert.deepInclude(kill, { ...about, unconfirmed: [], clearedAtMillis: null })
    assert.deepStrictEqual(yield* suspension, [NOON, "wrong list"])
    const paused = yield* (yield* CampaignStore).get(workspaceId, campaignId)
    assert.deepInclude(Option.getOrThrow(paused), { state: "paused", pauseReason: "killed" })
    assert.deepStrictEqual(asked, [campaignId])
    assert.deepStrictEqual(announced, [{ ...killJob(kill), afterMillis: SECOND }])
    const cancelled = yield* told("approval_cancelled")
    assert.sameDeepMembers(
      cancelled.map((one) => [one.replyId, one.campaignId, one.detail["approval_id"], one.detail["by"], one.requestId]),
      [
        [ids.reply, null, open[0]!.approvalId, OWNER.email, made.requestId],
        [null, ids.campaign, open[1]!.approvalId, OWNER.email, made.requestId]
      ]
    )
    for (const { approvalId } of open) {
      const found = Option.getOrThrow(yield* approvals.find(workspaceId, approvalId))
      assert.strictEqual(found.approval.state, "cancelled")
    }
    const verified = (yield* told("paused")).map((one) => [one.campaignId, one.source, one.detail["provider_verified"]])
    assert.deepStrictEqual(verified, [[campaignId, "system", true]])
    const after = { reason: "wrong list", campaigns_paused: 1, approvals_cancelled: 2 }
    assert.deepStrictEqual(yield* made.logged, [{ action: "kill", direction: "tighten", before: {}, after }])
  })
)

story(
  "a second one tells the first one's answer; one that finds no suspension, or no kill, is a new one",
  Effect.gen(function* () {
    const { atomically, stop, suspension, told, workspaceId } = yield* given()
    const { setSending } = yield* WorkspaceStore
    const first = yield* stop()
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(yield* stop("again"), first)
    assert.lengthOf(yield* told("killed"), 1)
    // If the suspension is gone and the kill is not, no answer says that everything is stopped.
    yield* atomically(setSending(workspaceId, { suspendedAtMillis: null, suspendedReason: null }))
    assert.isTrue(Exit.isFailure(yield* Effect.exit(stop("at odds"))))
    yield* atomically((yield* KillStore).clear(workspaceId, first.killId, NOON))
    yield* atomically(setSending(workspaceId, { suspendedAtMillis: NOON, suspendedReason: "by hand" }))
    const second = yield* stop("on top")
    assert.notStrictEqual(second.killId, first.killId)
    assert.deepStrictEqual(yield* suspension, [NOON + MINUTE, "on top"])
    assert.lengthOf(yield* told("killed"), 2)
  })
)

story(
  "what its provider does not confirm is named, and no pause of it is told; own mailboxes have nobody to ask",
  Effect.gen(function* () {
    for (const [options, confirmed, asks] of [
      [{ pauses: Effect.void }, true, 1],
      [{ pauses: fails }, false, 1],
      [{ pauses: Effect.never }, false, 1],
      [{ pauses: null }, false, 0],
      [{ pauses: fails, mailbox: "own" }, true, 0],
      // One that a vendor holds is asked about there, whatever its mailboxes are.
      [{ mailbox: "own", vendors: atVendor(Effect.fail("unread")) }, false, 0],
      [{ pauses: fails, vendors: atVendor(Effect.succeedNone) }, true, 0]
    ] as const) {
      const { asked, campaignId, stop, told } = yield* given(options as Parameters<typeof given>[0])
      const { unconfirmed } = yield* after(6, stop())
      assert.deepStrictEqual([unconfirmed, asked.length], [confirmed ? [] : [campaignId], asks])
      assert.lengthOf(yield* told("paused"), confirmed ? 1 : 0)
    }
  })
)

/** Every campaign is at a vendor, and this is what its pause finds first. */
function atVendor(get: Effect.Effect<Option.Option<never>, unknown>): Partial<VendorStore["Service"]> {
  return {
    among: (_, campaignIds) => Effect.succeed(new Set(campaignIds)),
    get: (() => get) as unknown as VendorStore["Service"]["get"]
  }
}

story(
  "a campaign that was paused before, and that its vendor may still send, is verified as well, each once",
  Effect.gen(function* () {
    const another = freshId()
    const still: Array<string> = [another]
    const { asked, campaignId, stop, stored, told, workspaceId } = yield* given({
      vendors: { mayBeSending: () => Effect.succeed(still) }
    })
    still.push(campaignId)
    const kill = yield* stop()
    assert.strictEqual(kill.campaignsPaused, 1)
    assert.deepStrictEqual(stored, [[campaignId, another]])
    assert.sameMembers(
      (yield* told("pause_requested")).map((one) => one.campaignId),
      [campaignId]
    )
    assert.deepStrictEqual(kill.unconfirmed, [])
    assert.deepStrictEqual(asked, [campaignId], "the other one has no mailbox of the provider")
    assert.sameMembers(
      (yield* told("paused")).map((one) => one.campaignId),
      [campaignId, another]
    )
    assert.isEmpty(yield* (yield* KillStore).unverified(workspaceId, kill.killId))
  })
)

story(
  "a message that is leaving makes its campaign unconfirmed, also if that was paused before",
  Effect.gen(function* () {
    const { atomically, campaignId, stop, workspaceId } = yield* given()
    yield* claimsOf(workspaceId)
    const campaigns = yield* CampaignStore
    yield* atomically(
      Effect.flatMap(campaigns.lock(workspaceId, campaignId), (found) =>
        campaigns.update({ ...Option.getOrThrow(found), state: "paused", pauseReason: "owner" })
      )
    )
    const kill = yield* after(11, stop())
    assert.deepStrictEqual([kill.campaignsPaused, kill.unconfirmed], [0, [campaignId]])
  })
)

story(
  "it waits ten seconds for a message that is leaving, and not a moment longer than that takes",
  Effect.gen(function* () {
    const slow = yield* given()
    yield* claimsOf(slow.workspaceId)
    const fiber = yield* Effect.forkChild(slow.stop())
    yield* TestClock.adjust("9900 millis")
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust("100 millis")
    const kill = yield* Fiber.join(fiber)
    assert.deepStrictEqual([kill.unconfirmed, slow.asked], [[slow.campaignId], []], "it is not paused yet")

    const quick = yield* given()
    const [claimed] = yield* claimsOf(quick.workspaceId)
    const waits = yield* Effect.forkChild(quick.stop())
    yield* TestClock.adjust("1 second")
    yield* end(claimed!, "sent")
    yield* TestClock.adjust("100 millis")
    assert.deepStrictEqual([(yield* Fiber.join(waits)).unconfirmed, quick.asked], [[], [quick.campaignId]])
  })
)

story(
  "its job asks until everything is confirmed, also once the suspension is over, and ever less often",
  Effect.gen(function* () {
    const answers: Array<Effect.Effect<void, ProviderFailure>> = [fails, fails]
    const pauses = Effect.suspend(() => answers.shift() ?? Effect.void)
    const made = yield* given({ pauses })
    const { atomically, clear, handler, logged, stop, suspension, told, verifyPauses, workspaceId } = made
    assert.isFalse(yield* clear(workspaceId, OWNER))
    const kill = yield* stop()
    assert.deepStrictEqual(yield* stop("again"), kill, "a second one asks nobody anew")
    assert.isTrue(yield* clear(workspaceId, OWNER))
    assert.deepInclude((yield* logged)[0], {
      action: "clear_suspension",
      direction: "loosen",
      before: { reason: "enough" }
    })
    // Also where no kill suspended it.
    yield* atomically(
      (yield* WorkspaceStore).setSending(workspaceId, { suspendedAtMillis: NOON, suspendedReason: "x" })
    )
    assert.isTrue(yield* clear(workspaceId, OWNER))
    assert.deepStrictEqual(yield* suspension, [null, null])
    assert.isTrue(Option.isNone(yield* (yield* KillStore).standing(workspaceId)))
    const cleared = yield* told("suspension_cleared")
    assert.deepStrictEqual(
      cleared.map(({ detail, source }) => [source, detail]),
      [1, 2].map(() => ["console" as const, { by: OWNER.email }])
    )
    assert.lengthOf(yield* verifyPauses(kill, NOON - 1), 1)
    assert.lengthOf(answers, 1, "whose time is over asks nobody")
    yield* TestClock.adjust("100 seconds")
    const { key } = killJob(kill)
    assert.deepStrictEqual(yield* handler(key), waitFor(10 * SECOND))
    assert.deepStrictEqual(yield* handler(key), DONE)
    assert.deepStrictEqual(yield* handler(key), DONE)
    assert.lengthOf(yield* told("paused"), 1)
    assert.deepStrictEqual(yield* handler(killJob({ workspaceId, killId: freshId() }).key), DONE)
  })
)

it("its job waits a tenth of its age, at least a second and at most a minute", () => {
  assert.deepStrictEqual([0, 9 * SECOND, 10 * SECOND, 25_009, 10 * MINUTE, HOUR].map(askAgainAfter), [
    SECOND,
    SECOND,
    SECOND,
    2_500,
    MINUTE,
    MINUTE
  ])
})
