import { Clock, Effect, Option } from "effect"
import { answering } from "../../calls/Handler.js"
import { DAY_MILLIS } from "../../kernel/durations.js"
import { iso } from "../../kernel/text.js"
import { TrailStore } from "../../kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { type Check, failingOf } from "../../outreach/authentication/Look.js"
import { makeLooks } from "../../outreach/authentication/Looks.js"
import { shownFinding } from "../../outreach/authentication/shownDomains.js"
import { LookStore } from "../../outreach/authentication/LookStore.js"
import { ADVICE_MAX, domainAdvice, mailboxAdvice, type StateReason } from "../../outreach/health/advice.js"
import { HealthReads } from "../../outreach/health/HealthReads.js"
import { domainState } from "../../outreach/health/judgeDomain.js"
import { type Measured, Measurements } from "../../outreach/health/Measurements.js"
import { receiversOf } from "../../outreach/health/judgeReceivers.js"
import { slowedByUse, tightenedSince, TIGHTENED_MAX, TIGHTENING } from "../../outreach/health/tightened.js"
import { bouncesHigh } from "../../outreach/sending/Breaker.js"
import { dayStart } from "../../outreach/sending/Dispatcher.js"
import { SendingStore } from "../../outreach/sending/SendingStore.js"
import { type GetSendingHealth, HEALTH_DOMAINS_MAX, HEALTH_MAILBOXES_MAX } from "../../verbs/SendingHealth.js"
import type { ResultOf } from "../../verbs/Verb.js"
import { ConsoleReads } from "../console/ConsoleReads.js"
import { isGone, shownMailbox } from "./mailboxes.js"

/** Over how many days mail is counted by receiver, mailboxes by their record, and what the service did. */
export const RECEIVED_DAYS = 14
const RECORD_DAYS = 30
const DONE_DAYS = 30
/** Each read waits for its turn on a busy machine: several wait together, and leave connections to others. */
const READS_AT_ONCE = 4

export type SendingHealth = ResultOf<typeof GetSendingHealth>

/** The newest placement that was measured there; null: none. */
const shownPlacement = (measured: ReadonlyArray<Measured>) => {
  const found = measured.find(({ placement }) => placement !== null)?.placement ?? null
  if (found === null) return null
  const { inbox, junk, lookedAtMillis, missing } = found
  return { inbox, junk, missing, looked_at: iso(lookedAtMillis) }
}

/** Puts together all that the service knows of how a workspace's mail arrives. Reads only. */
export const makeSendingHealth = Effect.gen(function* () {
  const reads = yield* ConsoleReads
  const health = yield* HealthReads
  // Who embeds the service without wings measures nothing.
  const measure = Option.getOrUndefined(yield* Effect.serviceOption(Measurements))
  const looks = yield* makeLooks
  const store = yield* LookStore
  const trail = yield* TrailStore
  const workspaces = yield* WorkspaceStore
  const sendings = yield* SendingStore

  return (workspaceId: string) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const doneSinceMillis = nowMillis - DONE_DAYS * DAY_MILLIS
      const read = yield* Effect.all(
        {
          workspace: workspaces.get(workspaceId),
          domains: store.domains(workspaceId),
          counts: health.receivers(workspaceId, nowMillis - RECEIVED_DAYS * DAY_MILLIS),
          rests: health.rests(workspaceId, doneSinceMillis),
          receiverOf: sendings.knownReceivers(workspaceId),
          watched: health.listed(workspaceId),
          measured: measure === undefined ? Effect.succeed([]) : measure(workspaceId, nowMillis),
          lines: reads.mailboxes(workspaceId, dayStart(nowMillis), null, HEALTH_MAILBOXES_MAX),
          records: reads.mailboxRecords(workspaceId, nowMillis - RECORD_DAYS * DAY_MILLIS),
          book: sendings.uses(workspaceId, nowMillis, "receiver"),
          events: trail.page({
            workspaceId,
            campaignId: null,
            email: null,
            kinds: TIGHTENING,
            sinceMillis: doneSinceMillis,
            untilMillis: null,
            limit: TIGHTENED_MAX,
            after: null
          })
        },
        { concurrency: READS_AT_ONCE }
      )
      const { book, counts, events, lines, measured, receiverOf, rests, watched } = read
      const { caps, kind } = Option.getOrThrow(read.workspace)
      const domains = read.domains.slice(0, HEALTH_DOMAINS_MAX)
      const found = new Map(
        (yield* looks.read(kind, workspaceId, domains, nowMillis)).map((look) => [look.domain, look])
      )
      const known = domains.map((domain) => {
        const look = found.get(domain)
        const zones = [
          ...(look?.listed ?? []).map(({ zone }) => zone),
          ...watched.filter((one) => one.domain === domain).map(({ zone }) => zone)
        ]
        const receivers = receiversOf(domain, { rows: counts, rests, known: receiverOf, measured }, caps, nowMillis)
        return { domain, look: look ?? null, listedOn: [...new Set(zones)].sort(), receivers }
      })
      const factsOf = new Map(known.map((one) => [one.domain, one]))

      const records = new Map(read.records.map((one) => [one.mailboxId, one]))
      const resting = new Set(
        rests.filter(({ restsUntilMillis }) => restsUntilMillis > nowMillis).map(({ mailbox }) => mailbox)
      )
      const mailboxes = lines.map((line) => {
        const record = records.get(line.mailboxId)
        const shown = shownMailbox(line, record, caps.mailboxDailySends, book.of(line.mailboxId), nowMillis)
        const domain = factsOf.get(line.domain)
        if (isGone(line)) return { ...shown, state_reasons: [] }
        const reasons: ReadonlyArray<readonly [StateReason, boolean]> = [
          ["domain_not_authenticated", failingOf(domain?.look ?? null, nowMillis).length > 0],
          ["domain_listed", (domain?.listedOn.length ?? 0) > 0],
          ["bounces_high", record !== undefined && bouncesHigh({ hardBounces: record.bounced, sent: record.sent })],
          ["resting", shown.resting_until !== null],
          ["receiver_rests", resting.has(line.address)],
          ["cap_reached", shown.sent_today >= shown.cap_today],
          ["ramping", shown.cap_today < caps.mailboxDailySends]
        ]
        return { ...shown, state_reasons: reasons.filter(([, holds]) => holds).map(([reason]) => reason) }
      })

      const slowed = slowedByUse(book, new Map(lines.map(({ address, mailboxId }) => [mailboxId, address])), nowMillis)
      return {
        evaluated_at: iso(nowMillis),
        domains: known.map(({ domain, listedOn, look, receivers }) => {
          const at = (check: Check) => shownFinding(look, check, nowMillis)
          return {
            domain,
            spf: at("spf"),
            dkim: at("dkim"),
            dmarc: at("dmarc"),
            mx: at("mx"),
            listed_on: listedOn,
            // In a sandbox the name alone says how a domain is.
            state: domainState({ look, listedOn, receivers: kind === "sandbox" ? [] : receivers }, nowMillis),
            receivers: receivers.map(
              ({
                bounced,
                complained,
                measured: there,
                organisation,
                refused,
                replied,
                restingUntilMillis,
                sent,
                state
              }) => ({
                organisation,
                sent,
                bounced,
                refused,
                complained,
                replied,
                placement: shownPlacement(there),
                evidence: there.map(({ atMillis, by, says }) => ({ by, says, at: iso(atMillis) })),
                state,
                resting_until: restingUntilMillis === null ? null : iso(restingUntilMillis)
              })
            )
          }
        }),
        mailboxes,
        done: tightenedSince(events, rests, slowed, doneSinceMillis).map(({ atMillis, what, why }) => ({
          at: iso(atMillis),
          what,
          why
        })),
        advice: [
          ...known.flatMap((one) => domainAdvice(one.domain, one, nowMillis)),
          ...mailboxes.flatMap((one) => mailboxAdvice(one.mailbox, one.paused_because, one.state_reasons))
        ].slice(0, ADVICE_MAX)
      } satisfies SendingHealth
    })
})

export const getSendingHealth = Effect.map(makeSendingHealth, (healthOf) =>
  answering<typeof GetSendingHealth>((_request, { workspaceId }) => healthOf(workspaceId))
)
