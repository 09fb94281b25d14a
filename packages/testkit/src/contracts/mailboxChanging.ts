import { assert } from "@effect/vitest"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { MailboxAdmin } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { HOLD_MILLIS, openAccount, OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { mailboxCap } from "@outbound/domain/outreach/sending/planner.js"
import { Clock, Effect, Option, Redacted } from "effect"
import { DAY, freshId, givenWorkspace } from "./fixtures.js"
import { givenLaunched } from "./outboundFixtures.js"
import { add, givenAdded, issuesOf, trailOf, type MailboxAdminIt } from "./mailboxAdminSupport.js"

/** What an owner does to a mailbox that is there: a new a pause, its removal. */
export const changingTests = (it: MailboxAdminIt): void => {
  it.effect("a mailbox that is put in again keeps its history and gets the new connection", () =>
    Effect.gen(function* () {
      const crypto = yield* Crypto
      const owns = yield* OwnMailboxStore
      const { workspaceId, mailbox } = yield* givenAdded
      const again = yield* add(workspaceId, { secret: Redacted.make("newer"), displayName: "Joanna" })
      assert.deepInclude(again.mailbox, {
        mailboxId: mailbox.mailboxId,
        createdAtMillis: mailbox.createdAtMillis,
        displayName: "Joanna",
        state: "active"
      })
      const [stored, ...others] = yield* owns.list(workspaceId)
      assert.isEmpty(others)
      const account = openAccount(crypto, stored!)
      assert.deepStrictEqual([Redacted.value(account!.secret), account!.displayName], ["newer", "Joanna"])
      assert.lengthOf(yield* trailOf(workspaceId), 1)
    })
  )

  it.effect("a new secret lets a mailbox go on that the server locked out, and not one paused for its health", () =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const sending = yield* SendingStore
      for (const [pauseReason, state] of [
        ["login", "active"],
        ["bounces", "paused"]
      ] as const) {
        const { workspaceId, mailbox } = yield* givenAdded
        const found = Option.getOrThrow(yield* sending.mailbox(workspaceId, mailbox.mailboxId))
        yield* atomically(sending.updateMailboxes([{ ...found, state: "paused", pauseReason }]))
        assert.strictEqual((yield* add(workspaceId)).mailbox?.state, state)
      }
    })
  )

  it.effect("an owner pauses a mailbox and lets it go on; the trail says who, and doing it twice changes nothing", () =>
    Effect.gen(function* () {
      const admin = yield* MailboxAdmin
      const sending = yield* SendingStore
      const { workspaceId, mailbox } = yield* givenAdded
      const { mailboxId } = mailbox
      for (const _ of [1, 2]) {
        const paused = yield* admin.pause(workspaceId, mailboxId, "console")
        assert.deepInclude(paused, { state: "paused", pauseReason: "owner" })
      }
      assert.isEmpty(yield* sending.activeMailboxes(workspaceId))
      for (const _ of [1, 2]) {
        assert.deepInclude(yield* admin.resume(workspaceId, mailboxId, "system"), {
          state: "active",
          pauseReason: null
        })
      }
      assert.deepStrictEqual(yield* trailOf(workspaceId), [
        ["mailbox_active", "console", null],
        ["mailbox_paused", "console", "owner"],
        ["mailbox_active", "system", null]
      ])
      const other = yield* givenWorkspace({ kind: "live" })
      for (const refused of [
        admin.pause(other.workspaceId, mailboxId, "console"),
        admin.resume(workspaceId, freshId(), "console"),
        admin.remove(other.workspaceId, mailboxId, "console")
      ]) {
        assert.deepStrictEqual(yield* issuesOf(refused), ["not_found"])
      }
    })
  )

  it.effect("an owner states what a mailbox sends elsewhere: it may send that, and the trail shows the statement", () =>
    Effect.gen(function* () {
      const admin = yield* MailboxAdmin
      const sending = yield* SendingStore
      const { workspaceId, mailbox } = yield* givenAdded
      const { mailboxId } = mailbox
      const nowMillis = yield* Clock.currentTimeMillis
      const capOf = Effect.map(sending.uses(workspaceId, nowMillis, "day"), (book) =>
        mailboxCap(100, book.of(mailboxId), 0, nowMillis)
      )
      const sinceMillis = nowMillis - 60 * DAY
      assert.strictEqual(yield* capOf, 5)
      yield* admin.declare(workspaceId, mailboxId, { sends: 30, sinceMillis }, "console")
      assert.strictEqual(yield* capOf, 30)
      yield* admin.declare(workspaceId, mailboxId, { sends: 12, sinceMillis }, "console")
      assert.strictEqual(yield* capOf, 12)
      assert.deepStrictEqual((yield* trailOf(workspaceId)).slice(1), [
        ["mailbox_active", "console", "sends_elsewhere"],
        ["mailbox_active", "console", "sends_elsewhere"]
      ])
      const stated = (sends: number, since: number) =>
        issuesOf(admin.declare(workspaceId, mailboxId, { sends, sinceMillis: since }, "console"))
      assert.deepStrictEqual(yield* stated(0, sinceMillis), ["sends"])
      assert.deepStrictEqual(yield* stated(2.5, nowMillis + DAY), ["sends", "since"])
      assert.deepStrictEqual(yield* stated(5_000, Number.NaN), ["sends", "since"])
      yield* admin.pause(workspaceId, mailboxId, "console")
      assert.deepStrictEqual(yield* stated(5, sinceMillis), ["mailbox"])
      assert.strictEqual(yield* capOf, 12)
      const other = yield* givenWorkspace({ kind: "live" })
      const foreign = admin.declare(other.workspaceId, mailboxId, { sends: 5, sinceMillis }, "console")
      assert.deepStrictEqual(yield* issuesOf(foreign), ["not_found"])
    })
  )

  it.effect("a mailbox that is removed is forgotten with its secret, and comes back as the one that it was", () =>
    Effect.gen(function* () {
      const admin = yield* MailboxAdmin
      const owns = yield* OwnMailboxStore
      const sending = yield* SendingStore
      const { workspaceId, mailbox } = yield* givenAdded
      yield* admin.remove(workspaceId, mailbox.mailboxId, "console")
      assert.isEmpty(yield* admin.list(workspaceId))
      assert.isEmpty(yield* sending.activeMailboxes(workspaceId))
      assert.deepStrictEqual((yield* trailOf(workspaceId)).at(-1), ["mailbox_paused", "console", "removed"])
      assert.deepStrictEqual(yield* issuesOf(admin.resume(workspaceId, mailbox.mailboxId, "console")), ["not_found"])
      const held = yield* owns.hold({ hostId: freshId(), limit: 1_000, millis: HOLD_MILLIS })
      assert.isFalse(held.some(({ own }) => own.mailboxId === mailbox.mailboxId))
      const again = yield* add(workspaceId)
      assert.deepInclude(again.mailbox, {
        mailboxId: mailbox.mailboxId,
        createdAtMillis: mailbox.createdAtMillis,
        state: "active"
      })
    })
  )

  it.effect("with its last mailbox a campaign is paused for want of capacity, and what the mailbox did is kept", () =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const admin = yield* MailboxAdmin
      const sending = yield* SendingStore
      const campaigns = yield* CampaignStore
      const { workspaceId, mailbox } = yield* givenAdded
      const found = Option.getOrThrow(yield* sending.mailbox(workspaceId, mailbox.mailboxId))
      yield* atomically(sending.updateMailboxes([{ ...found, state: "paused", pauseReason: "complaints" }]))
      const { campaign } = yield* givenLaunched(workspaceId, [found], ["ann@example.com"])
      yield* admin.remove(workspaceId, mailbox.mailboxId, "console")
      const stopped = Option.getOrThrow(yield* campaigns.get(workspaceId, campaign.campaignId))
      assert.deepInclude(stopped, { state: "paused", pauseReason: "capacity" })
      assert.deepInclude((yield* add(workspaceId)).mailbox, { state: "paused", pauseReason: "complaints" })
    })
  )
}
