import { AlertStore } from "@outbound/domain/control/alerts/AlertStore.js"
import { NoticeStore } from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { Notices } from "@outbound/domain/control/notices/Notices.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { ChangeRequestStore } from "@outbound/domain/control/ChangeRequestStore.js"
import { Control } from "@outbound/domain/control/Control.js"
import { policyOf } from "@outbound/domain/control/PolicyChange.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { DEFAULT_CAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { type SignedIn, UserStore } from "@outbound/domain/control/users/UserStore.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { Effect, Option } from "effect"
import type { Tenant } from "./Desk.js"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** What owners were told of: one by letter, the others on the console alone; one still is so. */
const alert = (by: SignedIn, keyId: string, nowMillis: number) =>
  Effect.gen(function* () {
    const store = yield* AlertStore
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork
    const { workspaceId } = by.session
    const raised = { workspaceId, raisedAtMillis: nowMillis - 3 * HOUR, mailedAtMillis: null }
    const low = { kind: "low_balance", subject: "balance", period: "1", name: "", says: "49.5" } as const
    const cap = { kind: "key_cap", subject: `${keyId}/80`, period: "2026-01", name: "Reply desk", says: "80" } as const
    const address = "hello@try-acme.test"
    const mailbox = {
      kind: "mailbox_paused",
      subject: address,
      period: "2",
      name: address,
      says: "upkeep_unpaid"
    } as const
    const alerts = [low, cap, mailbox].map((cause) => ({ ...raised, ...cause, alertId: ids.next(nowMillis) }))
    yield* atomically(store.raise(alerts))
    yield* atomically(store.markMailed(alerts[0]!, nowMillis))
  })

/** Approvers told of a request: by mail it arrived, and the chat channel is gone. */
const tellApprovers = (by: SignedIn, approvalId: string, nowMillis: number) =>
  Effect.gen(function* () {
    const notices = yield* Notices
    const store = yield* NoticeStore
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork
    const { workspaceId } = by.session
    yield* notices.setChannel(by, { kind: "slack", url: "https://hooks.slack.com/services/T0/B0/secret" })
    const remindAtMillis = nowMillis + HOUR
    yield* atomically(store.announce({ workspaceId, approvalId, topic: "launch", nowMillis, remindAtMillis }))
    const claimId = ids.next(nowMillis)
    const claimed = yield* atomically(store.claim({ claimId, nowMillis, leaseMillis: MINUTE, limit: 10 }))
    for (const one of claimed) {
      const made = { atMillis: nowMillis, dueAtMillis: nowMillis }
      const gone = { ...made, state: "failed", failure: "status", status: 404 } as const
      const arrived = { ...made, state: "sent", failure: null, status: null } as const
      yield* atomically(store.record(one, one.channel === "mail" ? arrived : gone))
    }
  })

/** What owners and keys have changed: other keys, a run, a change that a key asks for, a member, caps. */
export const manage = (of: Tenant, nowMillis: number, id: (agoMillis?: number) => string, approvalId: string) =>
  Effect.gen(function* () {
    const control = yield* Control
    const console = yield* Console
    const users = yield* UserStore
    const requests = yield* ChangeRequestStore
    const { atomically } = yield* UnitOfWork
    const { signedIn: by } = Option.getOrThrow(yield* console.signIn(yield* console.makeSignInLink(of.email)))
    const fresh = { name: "", scopes: [], monthlySpendCap: null, autonomousExternalActions: true, runRequired: false }
    const other = yield* control.createKey(by, { ...fresh, name: "Reply desk", monthlySpendCap: credits("500") })
    const boss = yield* control.createKey(by, { ...fresh, name: "Budget keeper", scopes: ["usage:read"] })
    const old = yield* control.createKey(by, { ...fresh, name: "Trial of last spring" })
    yield* control.revokeKey(by, old.keyId)
    yield* control.setPolicy(by, of.keyId, { monthlySpendCap: credits("4000"), runRequired: false })
    yield* control.pauseKey(by, boss.keyId)
    const { runId } = yield* control.createRun(by, {
      name: "Spring list, first pass",
      budget: credits("750"),
      expiresInMillis: 8 * HOUR
    })
    yield* control.setCaps(by, { ...DEFAULT_CAPS, dailySends: 400 })
    const { key } = yield* control.key(by, other.keyId)
    const changeRequestId = id()
    yield* atomically(
      requests.insert({
        changeRequestId,
        workspaceId: of.workspaceId,
        keyId: other.keyId,
        requestedByKeyId: of.keyId,
        change: { monthlySpendCap: credits("1500"), scopes: [...key.scopes, "reply:send"] },
        before: policyOf(key),
        state: "open",
        requestId: id(),
        createdAtMillis: nowMillis - 20 * MINUTE,
        decidedAtMillis: null,
        decidedByUserId: null
      })
    )
    const member = yield* atomically(
      users.ensureMember({
        userId: id(),
        email: `grace.${of.email}`,
        workspaceId: of.workspaceId,
        role: "member",
        atMillis: nowMillis
      })
    )
    yield* alert(by, other.keyId, nowMillis)
    yield* tellApprovers(by, approvalId, nowMillis)
    return { otherKeyId: other.keyId, runId, changeRequestId, memberId: member.userId }
  })
