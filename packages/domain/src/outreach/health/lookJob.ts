import { Clock, Effect, Option, Result } from "effect"
import { step } from "../../kernel/machine.js"
import { type Advance, DONE, type JobHandler, waitFor } from "../../kernel/ports/LongWork.js"
import { type InTx, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import { RuleStore } from "../../kernel/workspaces/RuleStore.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import {
  type DomainLook,
  failingOf,
  isMended,
  LOOK_DAILY_MILLIS,
  lookAfter,
  mustPause
} from "../authentication/Look.js"
import { makeLooks } from "../authentication/Looks.js"
import { LookStore, type MailDomain } from "../authentication/LookStore.js"
import { CampaignMachine } from "../campaigns/CampaignMachine.js"
import { CampaignStore } from "../campaigns/CampaignStore.js"
import { makeCampaignContext } from "../launching/CampaignContext.js"
import { makePauses, resumeRefusal } from "../launching/pausing/pauses.js"
import { makeAskDomainLists } from "../reputation/blocklists.js"
import { makePauseDomain } from "../reputation/domainReports.js"
import { MailboxMachine } from "../sending/MailboxMachine.js"
import { SendingStore } from "../sending/SendingStore.js"

/** Where this host can't reach DNS at all. */
const NOBODY_MILLIS = 10 * 60_000

/**
 * Looks at a domain of mailboxes again and again. Where the workspace requires authentication, its mailboxes pause after
 * three days of proven failure, and the campaigns that have no other. Both go on by themselves once it is good.
 */
export const makeLookHandler = Effect.gen(function* () {
  const store = yield* LookStore
  const looks = yield* makeLooks
  const rules = yield* RuleStore
  const workspaces = yield* WorkspaceStore
  const sendings = yield* SendingStore
  const campaigns = yield* CampaignStore
  const around = yield* makeCampaignContext
  const pauses = yield* makePauses
  const pauseDomain = yield* makePauseDomain
  const tell = yield* makeTell
  const askDomainLists = yield* makeAskDomainLists
  const { atomically } = yield* UnitOfWork

  /** The campaigns that stopped with the domain's mailboxes. */
  const pause = (look: DomainLook, nowMillis: number): InTx<ReadonlyArray<string>> =>
    Effect.gen(function* () {
      const { domain, workspaceId } = look
      const mailboxes = (yield* sendings.activeMailboxes(workspaceId)).filter((one) => one.domain === domain)
      if (!mailboxes.some(({ activeAtMillis }) => mustPause(look, activeAtMillis, nowMillis))) return []
      const says = failingOf(look, nowMillis)
        .map((check) => check.toUpperCase())
        .join(", ")
      const reasonFor = ({ activeAtMillis }: { readonly activeAtMillis: number | null }) =>
        mustPause(look, activeAtMillis, nowMillis) ? { reason: "authentication" as const, detail: { says } } : null
      return yield* pauseDomain(workspaceId, domain, reasonFor, nowMillis)
    })

  /** Mailboxes that paused for it send again, and start over with the breaker. */
  const resume = ({ domain, workspaceId }: DomainLook, nowMillis: number): InTx<void> =>
    Effect.gen(function* () {
      for (const mailboxId of yield* store.paused({ workspaceId, domain })) {
        const mailbox = Option.getOrNull(yield* sendings.lockMailbox(workspaceId, mailboxId))
        if (mailbox?.pauseReason !== "authentication") continue
        const resumed = step(MailboxMachine, mailbox.state, "resume")
        if (Result.isFailure(resumed)) continue
        yield* sendings.updateMailboxes([
          { ...mailbox, state: resumed.success, pauseReason: null, activeAtMillis: nowMillis }
        ])
        const detail = { mailbox: mailbox.address, reason: "authenticated" }
        yield* tell(nowMillis, { workspaceId, source: "system", kind: "mailbox_active", detail })
      }
    })

  const keep = (of: MailDomain, asked: NonNullable<Effect.Success<ReturnType<typeof looks.ask>>>) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const before = Option.getOrNull(yield* store.lock(of))
      const look = lookAfter(before, asked, nowMillis)
      const isRequired = (yield* rules.rules(of.workspaceId)).authentication === "require"
      const stopped = isRequired ? yield* pause(look, nowMillis) : []
      const mayGoOn = isMended(look, nowMillis) || !isRequired
      if (mayGoOn) yield* resume(look, nowMillis)
      const kept = { ...look, stoppedCampaigns: [...new Set([...look.stoppedCampaigns, ...stopped])] }
      yield* store.put(kept)
      return { look: kept, mayGoOn }
    }).pipe(atomically)

  /** One campaign that had stopped for the domain goes on, unless something else keeps it. */
  const goOn = (of: MailDomain, campaignId: string) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      // Before all others, as where it stops.
      const look = Option.getOrNull(yield* store.lock(of))
      if (look === null) return
      const sending = yield* workspaces.shareSending(of.workspaceId)
      const found = Option.getOrNull(yield* campaigns.lock(of.workspaceId, campaignId))
      if (found !== null && CampaignMachine.is.paused(found.state) && found.pauseReason === "capacity") {
        const refusal = resumeRefusal(yield* around(of.workspaceId, found, sending))
        if (refusal === null) yield* pauses.resume(found, { source: "system", by: "system" }, nowMillis)
      }
      yield* store.put({ ...look, stoppedCampaigns: look.stoppedCampaigns.filter((one) => one !== campaignId) })
    }).pipe(atomically)

  const handler: JobHandler = (key) =>
    Effect.gen(function* () {
      const at = key.indexOf("/")
      const of: MailDomain = { workspaceId: key.slice(0, at), domain: key.slice(at + 1) }
      const workspace = Option.getOrNull(yield* workspaces.get(of.workspaceId))
      const isOurs = workspace?.kind === "live" && (yield* store.domains(of.workspaceId)).includes(of.domain)
      if (!isOurs) return DONE as Advance
      if (!looks.canAsk) return waitFor(NOBODY_MILLIS)
      const nowMillis = yield* Clock.currentTimeMillis
      const [known] = yield* store.looks(of.workspaceId, [of.domain])
      const leftMillis = (known?.nextLookAtMillis ?? 0) - nowMillis
      // A clock that was set back makes nobody wait longer than once.
      if (leftMillis > 0) return waitFor(Math.min(leftMillis, LOOK_DAILY_MILLIS))
      const asked = yield* looks.ask(of, yield* askDomainLists(of.domain, known?.listed ?? []))
      if (asked === null) return waitFor(NOBODY_MILLIS)
      const { look, mayGoOn } = yield* keep(of, asked)
      if (mayGoOn) yield* Effect.forEach(look.stoppedCampaigns, (campaignId) => goOn(of, campaignId), { discard: true })
      return waitFor(look.nextLookAtMillis - look.lookedAtMillis)
    })
  return handler
})
