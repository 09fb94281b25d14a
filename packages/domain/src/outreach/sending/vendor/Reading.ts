import { Clock, Effect, Option } from "effect"
import { CampaignMachine } from "../../campaigns/CampaignMachine.js"
import { type Campaign, CampaignStore } from "../../campaigns/CampaignStore.js"
import { LeadMachine } from "../../campaigns/LeadMachine.js"
import { makeMoveLead } from "../../campaigns/moveLead.js"
import { addressHashOf } from "../../../kernel/people/subjects.js"
import { usableEmail } from "../../../kernel/people/EmailAddress.js"
import { Crypto } from "../../../kernel/ports/Crypto.js"
import { countsAtOnce, Inbound, type InboundEvent, BODY_CHARS_MAX } from "../../mail/Inbound.js"
import type { VendorEvent } from "../../../sources/ports/VendorScheduled.js"
import { UnitOfWork } from "../../../kernel/ports/UnitOfWork.js"
import { classify } from "../../meaning/classify.js"
import { ownText } from "../../meaning/ownText.js"
import { makeTell, ofLead } from "../../../kernel/trail/TrailEvent.js"
import { rfcMessageId } from "../compose.js"
import { ANSWER_WAIT_DAYS, daysAfter } from "../planner.js"
import { type Mailbox, SendingStore } from "../SendingStore.js"
import { DAY_MILLIS } from "../../../kernel/durations.js"
import { UNSETTLED } from "./VendorLeadMachine.js"
import { makeVendorRecord, type Turn } from "./VendorRecord.js"
import { type VendorLeadAt, VendorStore } from "./VendorStore.js"

/** How often a campaign's events are read, and how long after it stopped sending. */
export const READ_MILLIS = 60_000
const READ_LATE_MILLIS = 15 * 60_000
const READ_FOR_MILLIS = 30 * DAY_MILLIS

/** Most pages that one turn reads. */
const PAGES_MAX = 5

const SUBJECT_CHARS_MAX = 1_000

/** Records what happened at the vendor: each sent message once; replies go through the inbox. */
export const makeReading = Effect.gen(function* () {
  const vendors = yield* VendorStore
  const campaigns = yield* CampaignStore
  const sendings = yield* SendingStore
  const inbound = yield* Inbound
  const crypto = yield* Crypto
  const record = yield* makeVendorRecord
  const moveLead = yield* makeMoveLead
  const tell = yield* makeTell
  const { atomically } = yield* UnitOfWork

  /**
   * One message id per person and step, however often the vendor reports it; by the vendor's id if it names no step.
   */
  const messageIdFor = (campaignLeadId: string, of: number | string): string => {
    const hex = crypto.sha256Hex(`vendor message\n${campaignLeadId}\n${of}`)
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-")
  }

  const mailboxNamed = (workspaceId: string, address: string) =>
    Effect.map(sendings.activeMailboxes(workspaceId), (active) =>
      active.find((one) => one.address === address.toLowerCase())
    )

  /** Records a message that the vendor sent: message, contact, step and trail event. */
  const sent = (
    campaign: Campaign,
    { lead: { campaignLeadId, workspaceId } }: VendorLeadAt,
    event: {
      readonly eventId: string
      readonly stepIndex: number | null
      readonly mailbox: string | null
      readonly atMillis: number
    },
    nowMillis: number
  ) =>
    Effect.gen(function* () {
      const named = event.mailbox === null ? undefined : yield* mailboxNamed(workspaceId, event.mailbox)
      yield* Effect.gen(function* () {
        const found = yield* campaigns.lockLead(workspaceId, campaignLeadId)
        if (Option.isNone(found)) return
        const lead = found.value
        const mailboxId = named?.mailboxId ?? lead.mailboxId
        if (mailboxId === null) return
        const stepIndex = Math.min(event.stepIndex ?? lead.stepsSent, campaign.sequence.length - 1)
        const { addressHash, campaignId } = lead
        const sentAtMillis = Math.min(event.atMillis, nowMillis)
        const message = {
          workspaceId,
          messageId: messageIdFor(campaignLeadId, event.stepIndex ?? event.eventId),
          campaignId,
          campaignLeadId,
          mailboxId,
          stepIndex,
          variant: null,
          state: "sent" as const,
          claimedAtMillis: sentAtMillis,
          sentAtMillis
        }
        if (!(yield* vendors.recordSent(message, addressHash))) return
        const stepsSent = Math.max(lead.stepsSent, stepIndex + 1)
        const isLast = stepsSent >= campaign.sequence.length
        const waitsUntilMillis = daysAfter(campaign.schedule.timezone, sentAtMillis, ANSWER_WAIT_DAYS)
        yield* moveLead(lead, "send", {
          // If a reply arrived before this record, the sequence stays stopped.
          always: { mailboxId, stepsSent },
          ...(isLast ? { and: { nextAtMillis: waitsUntilMillis } } : {})
        })
        const mailbox = named ?? Option.getOrUndefined(yield* sendings.mailbox(workspaceId, mailboxId))
        const detail = { step: stepIndex + 1, mailbox: mailbox?.address ?? event.mailbox ?? "" }
        yield* tell(nowMillis, { ...ofLead(lead), kind: "sent", source: "provider_poll", detail })
      }).pipe(atomically)
    })

  /** The vendor has nothing more to send: only the wait for a reply remains. */
  const finished = (campaign: Campaign, { lead: { campaignLeadId, workspaceId } }: VendorLeadAt, nowMillis: number) =>
    Effect.gen(function* () {
      const found = yield* campaigns.lockLead(workspaceId, campaignLeadId)
      if (Option.isNone(found)) return
      const lead = found.value
      if (LeadMachine.is.ready(lead.state)) {
        return yield* record.endLead(lead, { event: "fail", reason: "skipped_by_provider" }, nowMillis)
      }
      if (!LeadMachine.is.writtenTo(lead.state) || lead.nextAtMillis !== null) return
      yield* campaigns.updateLead({
        ...lead,
        stepsSent: campaign.sequence.length,
        nextAtMillis: daysAfter(campaign.schedule.timezone, nowMillis, ANSWER_WAIT_DAYS)
      })
    }).pipe(atomically)

  /**
   * Finds the message that it answers. A reply proves that the person was emailed, even if we had not read that yet.
   */
  const answered = (campaign: Campaign, at: VendorLeadAt, event: VendorEvent, nowMillis: number) =>
    Effect.gen(function* () {
      const { campaignLeadId, workspaceId } = at.lead
      let last = yield* vendors.lastSent(workspaceId, campaignLeadId)
      if (Option.isNone(last)) {
        const mailbox = event.kind === "reply" ? event.mailbox : null
        yield* sent(campaign, at, { ...event, stepIndex: 0, mailbox }, nowMillis)
        last = yield* vendors.lastSent(workspaceId, campaignLeadId)
      }
      if (Option.isNone(last)) return Option.none()
      const mailbox = yield* sendings.mailbox(workspaceId, last.value.mailboxId)
      const { messageId } = last.value
      return Option.map(mailbox, (one: Mailbox) => ({ mailbox: one, inReplyTo: rfcMessageId(messageId, one.domain) }))
    })

  const contentOf = (
    event: Exclude<VendorEvent, { readonly kind: "sent" | "finished" }>,
    email: string
  ): Pick<
    InboundEvent,
    "kind" | "messageId" | "fromEmail" | "subject" | "bodyText" | "bodyHtml" | "classification" | "bounce"
  > => {
    const empty = { messageId: null, fromEmail: email, subject: "", bodyHtml: null, bounce: null }
    switch (event.kind) {
      case "reply": {
        const verdict = event.isAutomatic ? "out_of_office" : classify(ownText(event.text))?.classification
        return {
          kind: "reply",
          messageId: event.messageId,
          fromEmail: event.fromEmail,
          subject: event.subject.slice(0, SUBJECT_CHARS_MAX),
          // One character more than is stored, so that truncation is noticed.
          bodyText: event.text.slice(0, BODY_CHARS_MAX + 1),
          bodyHtml: event.html === null ? null : event.html.slice(0, BODY_CHARS_MAX + 1),
          classification: verdict ?? null,
          bounce: null
        }
      }
      case "bounced":
        return {
          ...empty,
          kind: "bounce",
          bodyText: "The sending provider reports that a message could not be delivered.",
          classification: "bounce",
          // The vendor gives no reason, and writes to them no more.
          bounce: { type: "soft", status: "5.0.0", reason: "unknown", ends: true }
        }
      case "unsubscribed":
        return { ...empty, kind: "unsubscribe", bodyText: "", classification: null }
    }
  }

  const apply = (turn: Turn, campaign: Campaign, event: VendorEvent, nowMillis: number) =>
    Effect.gen(function* () {
      const { campaignId, workspaceId } = turn.campaign
      const { email, ref } = event.person
      const addressHash = addressHashOf(crypto, workspaceId, usableEmail(email) ?? email)
      const at = yield* vendors.findLead(workspaceId, campaignId, { ref, addressHash })
      // Ignore people that someone else added to the campaign there.
      if (Option.isNone(at)) return
      const { campaignLeadId, state } = at.value.vendorLead
      // The vendor reports only on people it has, whatever earlier look-ups found.
      if (UNSETTLED.includes(state)) yield* record.confirm(turn.campaign, [{ campaignLeadId, ref }])
      if (event.kind === "sent") return yield* sent(campaign, at.value, event, nowMillis)
      if (event.kind === "finished") return yield* finished(campaign, at.value, nowMillis)
      const known = yield* answered(campaign, at.value, event, nowMillis)
      if (Option.isNone(known)) return
      yield* inbound.receive([
        {
          workspaceId,
          provider: turn.vendor.name,
          providerEventId: event.eventId,
          source: "provider_poll",
          inReplyTo: known.value.inReplyTo,
          toEmail: known.value.mailbox.address,
          receivedAtMillis: countsAtOnce(event.atMillis, nowMillis),
          ...contentOf(event, at.value.lead.email)
        }
      ])
    })

  const nextReading = (campaign: Campaign, nowMillis: number): number | null => {
    if (CampaignMachine.is.running(campaign.state) || CampaignMachine.is.paused(campaign.state))
      return nowMillis + READ_MILLIS
    return nowMillis - (campaign.launchedAtMillis ?? 0) < READ_FOR_MILLIS ? nowMillis + READ_LATE_MILLIS : null
  }

  /** Reads new events page by page. The cursor moves only after a page is fully recorded. */
  return (turn: Turn, ref: string, campaign: Campaign) =>
    Effect.gen(function* () {
      let { cursor } = turn.campaign
      for (let pages = 1; ; pages += 1) {
        const from = cursor
        const page = yield* turn.ask((vendor) => vendor.events(ref, from))
        const nowMillis = yield* Clock.currentTimeMillis
        for (const event of page.events) yield* apply(turn, campaign, event, nowMillis)
        cursor = page.cursor
        const goesOn = page.hasMore && pages < PAGES_MAX && nowMillis <= turn.untilMillis
        const readAtMillis = page.hasMore ? nowMillis : nextReading(campaign, nowMillis)
        yield* record.change(turn.campaign, (now) => ({ ...now, cursor: page.cursor, readAtMillis }))
        if (!goesOn) return
      }
    })
})
