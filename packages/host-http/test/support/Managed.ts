import { Console } from "@outbound/domain/console/Console.js"
import { ChangeRequestStore } from "@outbound/domain/control/ChangeRequestStore.js"
import { Control } from "@outbound/domain/control/Control.js"
import { policyOf } from "@outbound/domain/control/PolicyChange.js"
import { credits } from "@outbound/domain/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/ports/UnitOfWork.js"
import { UserStore } from "@outbound/domain/users/UserStore.js"
import { Effect, Option } from "effect"
import type { Tenant } from "./Desk.js"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** What owners and keys have changed: other keys, a run, a change that a key asks for, a member, caps. */
export const manage = (of: Tenant, nowMillis: number, id: (agoMillis?: number) => string) =>
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
    yield* control.setCaps(by, { dailySends: 400, dailyReplies: 100, mailboxDailyReplies: 20, mailboxDailySends: 25 })
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
    return { otherKeyId: other.keyId, runId, changeRequestId, memberId: member.userId }
  })
