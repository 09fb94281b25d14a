import { Effect, Option } from "effect"
import { CallJournal } from "../../calls/CallJournal.js"
import { answering } from "../../calls/Handler.js"
import { isRetryable, WIRE_CODES } from "../../kernel/errors/Wire.js"
import { KeyMachine } from "../../calls/keys/KeyMachine.js"
import type { ApiKey } from "../../calls/keys/KeyStore.js"
import { CAPABILITIES } from "../../verbs/Policy.js"
import { format } from "../../kernel/money/Credits.js"
import { type ClosedGates, closedTool, Releases } from "../../calls/releases/Releases.js"
import { dayStart } from "../../outreach/sending/Dispatcher.js"
import type { GetMe } from "../../verbs/Reads.js"
import type { AnyVerb } from "../../verbs/Verb.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"

/** Why the key may not use a verb now; null: it may. */
const reasonAgainst = (verb: AnyVerb, key: ApiKey, suspended: boolean, closed: ClosedGates): string | null => {
  if (KeyMachine.is.paused(key.state) && !verb.answersPausedKeys) return "agent_paused"
  if (verb.scope !== null && !key.scopes.includes(verb.scope)) return `missing_scope:${verb.scope}`
  if (closedTool(closed, verb.name) !== null) return "tool_unavailable"
  // Adding leads to a draft needs no approval.
  if (verb.approval !== "none" && verb.approval !== "leads" && !key.autonomousExternalActions) return "autonomy_off"
  if (verb.approval !== "none" && suspended) return "agent_suspended"
  return null
}

/** `verbs`: every verb of the service. A parameter, because this verb is one of them. */
export const getMe = (verbs: ReadonlyArray<AnyVerb>) =>
  Effect.gen(function* () {
    const journal = yield* CallJournal
    const workspaces = yield* WorkspaceStore
    const closed = yield* Releases
    return answering<typeof GetMe>((_request, call) =>
      Effect.gen(function* () {
        const { workspaceId, keyId, nowMillis } = call
        const standing = yield* journal.standing(workspaceId, keyId, nowMillis)
        const workspace = Option.getOrThrow(yield* workspaces.get(workspaceId))
        const sending = yield* workspaces.sending(workspaceId)
        const today = yield* workspaces.sentToday(workspaceId, dayStart(nowMillis))
        const { key } = standing
        const suspended = sending.suspendedAtMillis !== null
        return {
          key: {
            id: key.keyId,
            name: key.name,
            prefix: key.prefix,
            created_at: new Date(key.createdAtMillis).toISOString()
          },
          workspace: {
            id: workspace.workspaceId,
            name: workspace.name,
            kind: workspace.kind,
            sending_suspended: suspended
          },
          scopes: key.scopes,
          capabilities: Object.fromEntries(
            CAPABILITIES.map((name) => [name, !key.capabilitiesOff.includes(name)])
          ) as Record<(typeof CAPABILITIES)[number], boolean>,
          autonomous_external_actions: key.autonomousExternalActions,
          monthly_spend_cap: key.monthlySpendCap === null ? null : format(key.monthlySpendCap),
          spent_this_month: format(standing.spentThisMonth),
          daily_spend_cap: key.dailySpendCap === null ? null : format(key.dailySpendCap),
          spent_today: format(standing.spentToday),
          premium_allowance: format(key.premiumAllowance),
          credits_available: format(standing.available),
          daily_send_cap: workspace.caps.dailySends,
          sends_today: today.sends,
          launches_today: today.launches,
          replies: {
            workspace_daily_cap: workspace.caps.dailyReplies,
            workspace_sent_today: today.replies,
            mailbox_daily_cap: workspace.caps.mailboxDailyReplies
          },
          rate_limit: { requests_per_minute: standing.rate.limit, remaining: standing.rate.remaining },
          verbs: verbs.map((verb) => {
            const reason = reasonAgainst(verb, key, suspended, closed)
            return { verb: verb.name, allowed: reason === null, reason }
          }),
          retry_codes: WIRE_CODES.filter(isRetryable)
        }
      })
    )
  })
