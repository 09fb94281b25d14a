import { OWN_MAILBOX } from "../sending/OwnMailboxes.js"
import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Context, Effect, Exit, Layer, Option } from "effect"
import { backoff } from "../../kernel/backoff.js"
import { leftOf, type Span } from "../../kernel/Span.js"
import { type CampaignLead, CampaignStore } from "../campaigns/CampaignStore.js"
import { makeMoveLead } from "../campaigns/moveLead.js"
import { makeWakeWinnerRule } from "../campaigns/wakeWinnerRule.js"
import { LeadNews } from "../campaigns/LeadNews.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { Ids, isUuid } from "../../kernel/ports/Ids.js"
import { type InboundEvent, BODY_CHARS_MAX } from "../mail/Inbound.js"
import { type FromStore, type InTx, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { bounceVerdict, makeBreaker } from "../sending/Breaker.js"
import { messageIdOf } from "../sending/compose.js"
import type { MessageOutcome } from "../sending/MessageMachine.js"
import { type Message, SendingStore } from "../sending/SendingStore.js"
import { type OptOut, suppress as makeSuppress } from "../optOut/Suppress.js"
import { about, inSpan } from "../../kernel/telemetry.js"
import { makeTell, ofLead } from "../../kernel/trail/TrailEvent.js"
import { cut } from "../../kernel/text/cut.js"
import { repaired } from "../../kernel/text.js"
import { copyKeysOf } from "./inboundEvent.js"
import { isSubjectOfSequence } from "./learnedIds.js"
import { ownText } from "../meaning/ownText.js"
import { AUTOMATIC, type Classification } from "../meaning/Classification.js"
import { type Reply, ReplyStore, SNIPPET_CHARS_MAX } from "./ReplyStore.js"
import { ReadingStore } from "./ReadingStore.js"
import { SentReplyStore } from "./SentReplyStore.js"
import { referralIn, understand } from "../meaning/understood.js"

/** Most events that one round applies, each in its own transaction, and most failures it tolerates. */
const EVENTS_MAX = 50
const FAILURES_MAX = 10

/** For how long an event is passed over that could not be applied, at first and at most; so many are remembered. */
const PAUSE_MILLIS = { first: 1_000, max: 60_000 }
const TROUBLED_MAX = 1_000

/** Applies each inbound event once, in the transaction that removes it from the inbox. */
export class Inbox extends Context.Service<Inbox, { readonly round: FromStore<number> }>()(
  "@outbound/domain/outreach/replies/Inbox"
) {}

/** Identifies an event. */
const keyOf = ({ provider, providerEventId, workspaceId }: InboundEvent): string =>
  JSON.stringify([workspaceId, provider, providerEventId])

/** A `Message-ID` without angle brackets; null: not valid in a header. */
const rfcIdOf = (id: string | null): string | null => /^<?([!-;=?-~]{1,900})>?$/.exec(id?.trim() ?? "")?.[1] ?? null

/** The beginning of the writer's own text on one line; of the whole text if there is no own text. */
const snippetOf = (text: string): string => {
  const own = ownText(text) || text.slice(0, BODY_CHARS_MAX)
  const line = own.replace(/\s+/g, " ").trim()
  return line.length > SNIPPET_CHARS_MAX ? `${cut(line, SNIPPET_CHARS_MAX - 1)}…` : repaired(line)
}

/** The suppression that a reply causes: none for an out-of-office, otherwise no further campaign mail, permanently. */
const optOutOf = (classification: Classification | null): Pick<OptOut, "sources" | "event" | "reason"> | null => {
  switch (classification) {
    case "out_of_office":
      return null
    case "unsubscribe":
      return { sources: ["reply", "unsubscribe"], event: "unsubscribe", reason: "unsubscribe" }
    default:
      return { sources: ["reply"], event: "reply", reason: "reply" }
  }
}

const workOf = ({ provider, providerEventId, workspaceId }: InboundEvent) => ({
  workspace_id: workspaceId,
  provider,
  provider_event_id: providerEventId
})

export const layer = Layer.effect(
  Inbox,
  Effect.gen(function* () {
    const replies = yield* ReplyStore
    const reading = yield* ReadingStore
    const sentReplies = yield* SentReplyStore
    const sendings = yield* SendingStore
    const campaigns = yield* CampaignStore
    const trail = yield* makeTell
    const ids = yield* Ids
    const crypto = yield* Crypto
    const { atomically } = yield* UnitOfWork
    const suppress = yield* makeSuppress
    const breaker = yield* makeBreaker
    const moveLead = yield* makeMoveLead
    const tellNews = yield* LeadNews
    const wakeRule = yield* makeWakeWinnerRule

    /**
     * "Received" is when it became readable here, so a caller that asks for news since its last look misses nothing.
     */
    const replyOf = (event: InboundEvent, lead: CampaignLead, replyId: string, nowMillis: number): Reply => ({
      workspaceId: lead.workspaceId,
      replyId,
      campaignId: lead.campaignId,
      campaignLeadId: lead.campaignLeadId,
      threadId: lead.campaignLeadId,
      fromEmail: repaired(event.fromEmail),
      toEmail: event.toEmail,
      subject: repaired(event.subject),
      snippet: snippetOf(event.bodyText),
      bodyText: cut(event.bodyText, BODY_CHARS_MAX),
      bodyHtml: event.bodyHtml === null ? null : cut(event.bodyHtml, BODY_CHARS_MAX),
      bodyTruncated: event.bodyText.length > BODY_CHARS_MAX || (event.bodyHtml?.length ?? 0) > BODY_CHARS_MAX,
      classification: event.kind === "bounce" ? "bounce" : event.classification,
      messageId: rfcIdOf(event.messageId),
      inReplyTo: rfcIdOf(event.inReplyTo),
      receivedAtMillis: nowMillis
    })

    /** Nobody is written to before the day after the one that their absence names. */
    const putOff = (lead: CampaignLead, returnsOn: string | null) => {
      const nextAtMillis = returnsOn === null ? 0 : Date.parse(returnsOn) + DAY_MILLIS
      return lead.nextAtMillis !== null && lead.nextAtMillis < nextAtMillis
        ? campaigns.updateLead({ ...lead, nextAtMillis })
        : Effect.void
    }

    /** An erased person's later replies lose their text too. */
    const withoutWords = (reply: Reply): Reply => ({
      ...reply,
      fromEmail: "",
      subject: "",
      snippet: "",
      bodyText: "",
      bodyHtml: null,
      messageId: null
    })

    /** Whether it is the copy of an answer that another mailbox got too. */
    const isCopy = (event: InboundEvent, { addressHash }: CampaignLead) =>
      event.provider === OWN_MAILBOX
        ? Effect.map(replies.keepKeys(event, copyKeysOf(crypto, addressHash, event)), (isFirst) => !isFirst)
        : Effect.succeed(false)

    /** `message`: the sequence message that it answers; null: it answers another message of ours. */
    const applyTo = (event: InboundEvent, lead: CampaignLead, message: Message | null, nowMillis: number) =>
      Effect.gen(function* () {
        // Forgeable events don't count for a mailbox's health.
        const proven = event.byAddressAlone === true ? null : message
        const isListed = event.kind === "bounce" || (event.kind === "reply" && !(yield* isCopy(event, lead)))
        const replyId = isListed ? ids.next(nowMillis) : null
        const common = { ...ofLead(lead), source: event.source, replyId }
        const tell = (kind: "reply" | "bounce" | "complaint" | "unsubscribe", detail: Record<string, unknown> = {}) =>
          trail(nowMillis, { ...common, kind, detail })
        const stop = (optOut: Pick<OptOut, "sources" | "event" | "reason" | "writer">, also?: InTx<void>) =>
          Effect.asVoid(suppress({ lead, common, ...optOut }, nowMillis, also))
        /** What nothing proves ends this lead alone, and suppresses nobody. */
        const endLead = Effect.asVoid(
          moveLead(lead, "fail", { tell: { nowMillis, kind: "stop", detail: { reason: "unproven_report" } } })
        )
        const isUnproven = event.byAddressAlone === true
        const writer = event.writerDenied === true ? {} : { writer: event.fromEmail }
        const recorded = (outcome: MessageOutcome) => {
          const source = { isByMail: event.provider === OWN_MAILBOX, says: event.bounce?.says }
          return proven === null ? Effect.void : breaker.record(proven, outcome, source, nowMillis)
        }

        const reply = replyId === null ? null : replyOf(event, lead, replyId, nowMillis)
        if (reply !== null) {
          const kept = lead.email === "" ? withoutWords(reply) : reply
          yield* replies.insert(kept)
          if (referralIn(kept) !== null) yield* replies.handle(kept.workspaceId, kept.replyId, { referral: "open" })
        }
        switch (event.kind) {
          case "reply": {
            if (reply !== null) {
              yield* tell("reply", { classification: event.classification })
              // Programs' answers, and what nobody can prove to be theirs, are not written down as said by the person.
              const isTheirs = !isUnproven && !AUTOMATIC.some((one) => one === event.classification)
              if (isTheirs) yield* tellNews(lead, { kind: "reply", replyId }, nowMillis)
              if (event.classification === "unsubscribe") yield* tell("unsubscribe")
            }
            // A copy stops all the same: what proves its sender may be in it alone.
            const optOut = optOutOf(event.classification)
            if (optOut === null) return yield* putOff(lead, reply === null ? null : understand(reply).returnsOn)
            return yield* isUnproven ? endLead : stop({ ...optOut, ...writer })
          }
          case "bounce": {
            const {
              ends,
              says = event.bodyText,
              ...bounce
            } = event.bounce ?? { type: "soft" as const, status: "4.0.0" }
            const verdict = bounceVerdict(event.bounce)
            yield* tell("bounce", bounce)
            if (verdict === "soft") return yield* breaker.softBounce(lead, nowMillis)
            if (verdict === "restricted") {
              yield* breaker.restricted(lead, bounce.status, nowMillis)
              return yield* ends === true ? recorded("hard_bounce") : Effect.void
            }
            if (verdict === "refused") {
              if (proven === null) return
              const refusal = { receiver: null, status: bounce.status, says }
              return yield* breaker.refused(proven, lead.email, refusal, nowMillis)
            }
            if (isUnproven) return yield* endLead
            const optOut = { sources: ["hard_bounce"], event: "bounce", reason: "bounce" } as const
            return yield* stop(optOut, recorded("hard_bounce"))
          }
          case "complaint": {
            yield* tell("complaint")
            if (isUnproven) return yield* endLead
            const optOut = { sources: ["complaint"], event: "unsubscribe", reason: "complaint" } as const
            return yield* stop(optOut, recorded("complaint"))
          }
          case "unsubscribe": {
            yield* tell("unsubscribe")
            if (isUnproven) return yield* endLead
            const optOut = { sources: ["unsubscribe"], event: "unsubscribe", reason: "unsubscribe" } as const
            return yield* stop({ ...optOut, ...writer })
          }
        }
      })

    const answerOf = (workspaceId: string, messageId: string) =>
      isUuid(messageId) ? sentReplies.get(workspaceId, messageId) : Effect.succeed(Option.none())

    /** The lead it comes from, and the sequence message that it answers. */
    const addresseeOf = (event: InboundEvent) =>
      Effect.gen(function* () {
        const messageId = messageIdOf(event.inReplyTo)
        if (messageId === null) return Option.none()
        const message = yield* sendings.lockMessage(event.workspaceId, messageId)
        // It may also answer our reply in a thread.
        const answered = Option.isSome(message)
          ? Option.some(message.value.campaignLeadId)
          : Option.map(yield* answerOf(event.workspaceId, messageId), ({ campaignLeadId }) => campaignLeadId)
        if (Option.isNone(answered)) return Option.none()
        const lead = yield* campaigns.lockPerson(event.workspaceId, answered.value)
        return Option.map(lead, (one) => ({ lead: one, message: Option.getOrNull(message) }))
      })

    /** Learns under which id the message left: what names that id later answers it too, whoever writes. */
    const learn = ({ named, subject }: InboundEvent, lead: CampaignLead, message: Message | null) =>
      Effect.gen(function* () {
        if (named === undefined || message === null) return
        const campaign = yield* campaigns.get(lead.workspaceId, message.campaignId)
        const isOfThread = Option.exists(campaign, ({ sequence }) => isSubjectOfSequence(sequence, lead, subject))
        if (named.isOfCopy || isOfThread) yield* reading.learn(lead.workspaceId, named.idHash, message.messageId)
      })

    const apply = (event: InboundEvent, nowMillis: number) =>
      Effect.gen(function* () {
        const found = yield* addresseeOf(event)
        if (Option.isSome(found)) {
          yield* learn(event, found.value.lead, found.value.message)
          yield* applyTo(event, found.value.lead, found.value.message, nowMillis)
        }
        yield* replies.takeFromInbox(event)
        if (Option.isSome(found)) yield* wakeRule(found.value.lead)
      }).pipe(atomically)

    /** Applies the oldest event that is not skipped, and returns the result; none: nothing waits. */
    const applyNext = (passedOver: ReadonlySet<string>) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const waiting = yield* replies.lockInbox(nowMillis, passedOver.size + 1)
        const event = waiting.find((one) => !passedOver.has(keyOf(one)))
        if (event === undefined) return Option.none()
        const applied = inSpan("inbound.apply")(apply(event, nowMillis)).pipe(about(workOf(event)))
        return Option.some({ event, exit: yield* Effect.exit(applied) })
      }).pipe(atomically)

    /** Failing events: until when each is skipped, and how often it failed. */
    const troubled = new Map<string, { readonly span: Span; readonly failures: number }>()

    /** Skips longer after each failure, so that neither later events nor the log suffer. */
    const passOver = (key: string, nowMillis: number) => {
      if (troubled.size >= TROUBLED_MAX) troubled.clear()
      const failures = (troubled.get(key)?.failures ?? 0) + 1
      troubled.set(key, { span: { from: nowMillis, until: nowMillis + backoff(failures, PAUSE_MILLIS) }, failures })
    }

    return Inbox.of({
      // A failing event stays and is retried, without blocking later ones.
      round: Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const passedOver = new Set(
          [...troubled].flatMap(([key, { span }]) => (leftOf(span, nowMillis) > 0 ? [key] : []))
        )
        let applied = 0
        let failed = 0
        while (applied < EVENTS_MAX && failed < FAILURES_MAX) {
          const next = yield* applyNext(passedOver)
          if (Option.isNone(next)) break
          const { event, exit } = next.value
          if (Exit.isSuccess(exit)) {
            applied += 1
            troubled.delete(keyOf(event))
            continue
          }
          failed += 1
          passedOver.add(keyOf(event))
          passOver(keyOf(event), nowMillis)
          yield* Effect.logError("applying an inbound event failed", exit.cause).pipe(about(workOf(event)))
        }
        return applied
      })
    })
  })
)
