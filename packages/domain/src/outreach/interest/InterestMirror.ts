import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { backoff } from "../../kernel/backoff.js"
import type { InterestMark } from "../../sources/ports/SendingProvider.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { askProvider } from "../sending/askProvider.js"
import { makeSenderOf } from "../sending/senderOf.js"
import { SendingStore } from "../sending/SendingStore.js"
import { about, inSpan } from "../../kernel/telemetry.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { type CampaignLead, CampaignStore } from "../campaigns/CampaignStore.js"
import { type InterestSync, InterestSyncStore } from "./InterestSyncStore.js"
import type { ProviderSyncStatus } from "../campaigns/LeadMachine.js"

/** Most people mirrored in one round. */
const ROUND_MAX = 50
const AT_ONCE = 4

const ASK_SECONDS = 15

/** Most requests to the provider before mirroring counts as failed, and the pauses between. */
export const SYNC_ATTEMPTS_MAX = 6
const PAUSE_MILLIS = { first: 5_000, max: 5 * 60_000 }

/** How long a host holds a status to mirror. After that another host may try. */
const pauseAfter = (attempts: number): number => ASK_SECONDS * 1_000 + backoff(attempts + 1, PAUSE_MILLIS)

/** Mirrors interest statuses to the sending provider in the background (contract: campaigns, interest). */
export class InterestMirror extends Context.Service<
  InterestMirror,
  {
    /** Mirrors what is due. Returns how many. */
    readonly round: FromStore<number>
  }
>()("@outbound/domain/outreach/interest/InterestMirror") {}

export const layer = Layer.effect(
  InterestMirror,
  Effect.gen(function* () {
    const syncs = yield* InterestSyncStore
    const campaigns = yield* CampaignStore
    const sendings = yield* SendingStore
    const workspaces = yield* WorkspaceStore
    const senderOf = yield* makeSenderOf
    const { atomically } = yield* UnitOfWork

    /** Postpones each to its next try before asking, so that no two hosts ask at once. */
    const claim = (nowMillis: number) =>
      Effect.gen(function* () {
        const due = yield* syncs.lockDue(nowMillis, ROUND_MAX)
        const claimed = due.map((sync) => ({
          ...sync,
          attempts: sync.attempts + 1,
          dueAtMillis: nowMillis + pauseAfter(sync.attempts)
        }))
        yield* Effect.forEach(claimed, syncs.put, { discard: true })
        return claimed
      }).pipe(atomically)

    const markOf = (sync: InterestSync, lead: CampaignLead): InterestMark => ({
      workspaceId: sync.workspaceId,
      campaignId: lead.campaignId,
      campaignLeadId: lead.campaignLeadId,
      email: lead.email,
      interest: sync.interest
    })

    /** Whether the provider accepted it; null: unreachable or no answer. */
    const ask = (sync: InterestSync, lead: CampaignLead) =>
      Effect.gen(function* () {
        const { mailboxId, workspaceId } = lead
        const mailbox = mailboxId === null ? Option.none() : yield* sendings.mailbox(workspaceId, mailboxId)
        const workspace = Option.getOrThrow(yield* workspaces.get(workspaceId))
        const sender = Option.isNone(mailbox) ? null : yield* senderOf(workspace.kind, mailbox.value)
        if (sender === null) return null
        const asked = yield* Effect.result(
          askProvider(sender.name, { seconds: ASK_SECONDS, otherwise: "transient" }, () =>
            sender.setInterest(markOf(sync, lead))
          ).pipe(inSpan("interest.mirror", { kind: "client", attributes: () => ({ "peer.service": sender.name }) }))
        )
        return Result.isSuccess(asked) ? "synced" : asked.failure.reason === "invalid" ? "failed" : null
      })

    const end = (sync: InterestSync, status: ProviderSyncStatus) =>
      Effect.gen(function* () {
        const lead = yield* campaigns.lockLead(sync.workspaceId, sync.campaignLeadId)
        // A newer status was set meanwhile; that one is mirrored instead.
        if (!(yield* syncs.end(sync)) || Option.isNone(lead)) return
        yield* campaigns.updateLead({ ...lead.value, providerSyncStatus: status })
      }).pipe(atomically)

    const mirror = (sync: InterestSync) =>
      Effect.gen(function* () {
        const lead = yield* atomically(campaigns.lockLead(sync.workspaceId, sync.campaignLeadId))
        if (Option.isNone(lead)) return yield* Effect.asVoid(atomically(syncs.end(sync)))
        const status = (yield* ask(sync, lead.value)) ?? (sync.attempts >= SYNC_ATTEMPTS_MAX ? "failed" : null)
        if (status !== null) yield* end(sync, status)
      }).pipe(
        // It is due again, in its time.
        Effect.catchCause((cause) =>
          Effect.logWarning("syncing a lead's interest status to the provider failed", cause)
        ),
        about({
          request_id: sync.requestId,
          workspace_id: sync.workspaceId,
          campaign_lead_id: sync.campaignLeadId
        })
      )

    return InterestMirror.of({
      round: Effect.gen(function* () {
        const claimed = yield* claim(yield* Clock.currentTimeMillis)
        yield* Effect.forEach(claimed, mirror, { concurrency: AT_ONCE, discard: true })
        return claimed.length
      })
    })
  })
)
