import { Clock, Context, Effect, Layer, Option } from "effect"
import { type AnyWireError, invalid, refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { type Mailbox, SendingStore } from "../sending/SendingStore.js"
import { mailboxesFor, makeScheduling } from "../sending/vendor/Scheduling.js"
import { VendorStore } from "../sending/vendor/VendorStore.js"
import { type Campaign, CampaignStore, mayStillSend } from "../campaigns/CampaignStore.js"

type Answer<A> = FromStore<A, AnyWireError>

/** The active mailboxes of a launched campaign's workspace that it could send from. */
export interface MailboxChoice {
  /** Those that it sends from. */
  readonly bound: ReadonlyArray<Mailbox>
  /** Those that it sends from once an owner adds them. */
  readonly others: ReadonlyArray<Mailbox>
}

/** From which mailboxes a launched campaign sends. The surface checks the member's permission. */
export class CampaignMailboxes extends Context.Service<
  CampaignMailboxes,
  {
    /** None: the campaign is not launched, is over, or was killed. */
    readonly choice: (campaign: Campaign) => FromStore<Option.Option<MailboxChoice>>
    /**
     * Lets the campaign send from one more mailbox. It takes over its share of the people to whom nothing was sent yet.
     * An approval that is open for the campaign did not show the mailbox, so it has to be asked for again.
     */
    readonly add: (workspaceId: string, campaignId: string, mailboxId: string, by: string) => Answer<void>
  }
>()("@outbound/domain/outreach/launching/CampaignMailboxes") {}

const missing = refuse("not_found", {})

export const layer = Layer.effect(
  CampaignMailboxes,
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const sendings = yield* SendingStore
    const vendors = yield* VendorStore
    const workspaces = yield* WorkspaceStore
    const scheduling = yield* makeScheduling
    const tell = yield* makeTell
    const { atomically } = yield* UnitOfWork

    /** What the campaign could send from, whether outbound schedules it or a vendor. */
    const senders = ({ campaignId, workspaceId }: Campaign) =>
      Effect.gen(function* () {
        const workspace = Option.getOrThrow(yield* workspaces.get(workspaceId))
        const isAtVendor = Option.isSome(yield* vendors.get(workspaceId, campaignId))
        const hasVendor = scheduling.vendorOfKind(workspace.kind) !== null
        const active = mailboxesFor(yield* sendings.activeMailboxes(workspaceId), { isAtVendor, hasVendor })
        const ids = yield* campaigns.mailboxIds(workspaceId, campaignId)
        const bound = active.filter(({ mailboxId }) => ids.has(mailboxId))
        return { bound, others: active.filter(({ mailboxId }) => !ids.has(mailboxId)), isAtVendor }
      })

    const add = (workspaceId: string, campaignId: string, mailboxId: string, by: string) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const found = yield* campaigns.lock(workspaceId, campaignId).pipe(orFail(missing))
        if (!mayStillSend(found)) {
          const message = "is not launched, is over, or was stopped for good"
          return yield* Effect.fail(invalid([{ path: "campaign", message }]))
        }
        const { bound, isAtVendor, others } = yield* senders(found)
        // Added already: a second press of the button changes nothing.
        if (bound.some((one) => one.mailboxId === mailboxId)) return
        const mailbox = others.find((one) => one.mailboxId === mailboxId)
        if (mailbox === undefined) return yield* Effect.fail(missing)
        yield* campaigns.bindMailboxes(workspaceId, campaignId, [mailbox.address], nowMillis)
        if (isAtVendor) yield* vendors.wake(workspaceId, [campaignId], nowMillis)
        else yield* campaigns.shareLeads(workspaceId, campaignId, mailboxId, bound.length + 1)
        yield* tell(nowMillis, {
          workspaceId,
          kind: "mailbox_active",
          source: "console",
          campaignId,
          detail: { mailbox: mailbox.address, reason: "added_to_campaign", by }
        })
      }).pipe(atomically)

    return CampaignMailboxes.of({
      choice: (campaign) =>
        mayStillSend(campaign)
          ? Effect.map(senders(campaign), ({ bound, others }) => Option.some({ bound, others }))
          : Effect.succeed(Option.none()),
      add
    })
  })
)
