import { isOwnRecordKey } from "@outbound/domain/calls/recordKey.js"
import { CallStories, type CallStory } from "@outbound/domain/control/CallStories.js"
import { format } from "@outbound/domain/kernel/money/Credits.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { Effect, Option } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { commandOn, type Outcome } from "./Command.js"
import { FlagMistakes } from "./flags.js"
import { usd } from "./providers.js"
import { isoOrNull } from "@outbound/domain/kernel/text.js"

type Json = Readonly<Record<string, unknown>>

const moneyJson = ({ costs, evidence, jobs, ledger, record }: CallStory): Json => ({
  credits_reserved: format(record.reserved),
  credits_charged: format(record.charged),
  ledger: ledger.map(({ amount, atMillis, kind }) => ({ kind, credits: format(amount), at: isoOrNull(atMillis) })),
  costs: costs.map(({ amount, answers, micros, unit, vendor }) => ({
    vendor,
    unit,
    units: amount,
    answers,
    cost_usd: usd(micros)
  })),
  evidence,
  jobs: jobs.map(({ answeredAtMillis, isUnknown, marker, source, tries }) => ({
    source,
    marker,
    tries,
    outcome_unknown: isUnknown,
    answered_at: isoOrNull(answeredAtMillis)
  })),
  jobs_of_unknown_outcome: jobs
    .filter(({ isUnknown }) => isUnknown)
    .map(({ answeredAtMillis, marker, source }) => ({ source, marker, since: isoOrNull(answeredAtMillis) }))
})

const afterJson = ({ answers, approvals, events, messages, offers, operations, webhooks }: CallStory): Json => ({
  approvals: approvals.map(({ approvalId, createdAtMillis, decidedAtMillis, decidedBy, role, state, target }) => ({
    approval_id: approvalId,
    role,
    target,
    state,
    created_at: isoOrNull(createdAtMillis),
    decided_at: isoOrNull(decidedAtMillis),
    decided_by: decidedBy
  })),
  offers: offers.map(({ maxCredits, offerId, role, usedAtMillis }) => ({
    offer_id: offerId,
    role,
    max_credits: format(maxCredits),
    used_at: isoOrNull(usedAtMillis)
  })),
  operations: operations.map(({ createdAtMillis, finishedAtMillis, kind, operationId, status }) => ({
    operation_id: operationId,
    kind,
    status,
    created_at: isoOrNull(createdAtMillis),
    finished_at: isoOrNull(finishedAtMillis)
  })),
  events: events.map(({ campaignId, campaignLeadId, eventId, kind, observedAtMillis, operationId, source }) => ({
    event_id: eventId,
    kind,
    source,
    observed_at: isoOrNull(observedAtMillis),
    campaign_id: campaignId,
    campaign_lead_id: campaignLeadId,
    operation_id: operationId
  })),
  messages: messages.map(({ campaignId, count, state }) => ({ campaign_id: campaignId, state, count })),
  replies_sent: answers.map(({ campaignId, createdAtMillis, replyId, sentAtMillis, sentReplyId, state }) => ({
    message_id: sentReplyId,
    reply_id: replyId,
    campaign_id: campaignId,
    state,
    created_at: isoOrNull(createdAtMillis),
    sent_at: isoOrNull(sentAtMillis)
  })),
  webhooks: webhooks.map(({ attemptedAtMillis, attempts, endpointId, eventId, failure, state, status }) => ({
    endpoint_id: endpointId,
    event_id: eventId,
    state,
    attempts,
    status,
    failure,
    attempted_at: isoOrNull(attemptedAtMillis)
  }))
})

const jsonOf = (story: CallStory): Json => {
  const { admitted, allowedBy, idempotency, key, lease, record, runId, workspace } = story
  return {
    request_id: record.requestId,
    verb: record.verb,
    mode: record.mode,
    status: record.status,
    http_status: record.httpStatus,
    error_code: record.errorCode,
    admitted,
    interrupted: record.interrupted,
    created_at: isoOrNull(record.createdAtMillis),
    finished_at: isoOrNull(record.finishedAtMillis),
    workspace: { workspace_id: workspace.workspaceId, name: workspace.name, kind: workspace.kind },
    key: { key_id: key.keyId, name: key.name, prefix: key.prefix, state: key.state },
    allowed_by: allowedBy,
    run_id: runId,
    lease: lease === null ? null : { host: lease.host, held: lease.isHeld, effect_started: lease.effectStarted },
    idempotency:
      idempotency === null
        ? null
        : { key: idempotency.key, phase: idempotency.phase, remembered: idempotency.isRemembered },
    replayed_count: record.replayedCount,
    ...moneyJson(story),
    ...afterJson(story)
  }
}

const leaseWords = ({ lease }: CallStory): ReadonlyArray<string> => {
  if (lease === null) return []
  const host = lease.isHeld ? `host ${lease.host} works on it` : `host ${lease.host} is gone: it will be resolved`
  return [`  under way: ${host}; ${lease.effectStarted ? "a provider may have been reached" : "no effect has begun"}`]
}

const headWords = (story: CallStory): ReadonlyArray<string> => {
  const { admitted, allowedBy, idempotency, key, record, runId, workspace } = story
  const ended = record.finishedAtMillis === null ? "" : `, in ${record.finishedAtMillis - record.createdAtMillis} ms`
  const answer = record.httpStatus === null ? "" : `, HTTP ${record.httpStatus}`
  const error = record.errorCode === null ? "" : ` ${record.errorCode}`
  return [
    `${record.verb} (${record.mode}): ${record.status}${answer}${error}${ended}`,
    `  request ${record.requestId}, at ${isoOrNull(record.createdAtMillis)}`,
    `  workspace ${workspace.workspaceId} "${workspace.name}" (${workspace.kind})`,
    `  key ${key.keyId} "${key.name}" (${key.prefix}..., ${key.state})${allowedBy === null ? "" : `, allowed by ${allowedBy}`}`,
    ...(runId === null ? [] : [`  run ${runId}`]),
    ...(admitted ? [] : ["  refused before anything was done"]),
    ...(record.interrupted ? ["  its client left, or its answer broke off"] : []),
    ...leaseWords(story),
    idempotency === null || isOwnRecordKey(idempotency.key)
      ? `  no Idempotency-Key is remembered${idempotency?.isRemembered === true ? "; its answer is kept as evidence" : ""}`
      : `  Idempotency-Key ${idempotency.key} (${idempotency.phase}): ${idempotency.isRemembered ? "its answer is kept" : "no answer is kept"}`,
    `  repeated ${record.replayedCount} times`
  ]
}

const moneyWords = ({ costs, evidence, jobs, ledger, record }: CallStory): ReadonlyArray<string> => [
  "Money",
  `  ${format(record.reserved)} credits reserved, ${format(record.charged)} charged`,
  ...ledger.map(({ amount, atMillis, kind }) => `  ledger: ${kind} of ${format(amount)} at ${isoOrNull(atMillis)}`),
  ...costs.map(
    ({ amount, answers, micros, unit, vendor }) =>
      `  ${vendor}: ${answers} answers, ${amount} ${unit}s, $${usd(micros)}`
  ),
  ...jobs.map(({ answeredAtMillis, isUnknown, marker, source }) => {
    const state = isUnknown ? "may have been paid for, outcome unknown" : "answered"
    return `  ${source}: job ${marker} ${answeredAtMillis === null ? "is pending" : state}`
  }),
  ...evidence.map(({ facts, source }) => `  ${source} said: ${JSON.stringify(facts)}`)
]

const decisionWords = ({ approvals, offers, operations }: CallStory): ReadonlyArray<string> => [
  ...approvals.map(({ approvalId, decidedAtMillis, decidedBy, role, state, target }) => {
    const decided =
      decidedAtMillis === null ? "" : `, decided by ${decidedBy ?? "nobody"} at ${isoOrNull(decidedAtMillis)}`
    return `  approval ${approvalId} ${role}: ${target}, ${state}${decided}`
  }),
  ...offers.map(({ maxCredits, offerId, role }) => `  offer ${offerId} ${role}: at most ${format(maxCredits)} credits`),
  ...operations.map(({ kind, operationId, status }) => `  operation ${operationId}: ${kind}, ${status}`)
]

const afterWords = (story: CallStory): ReadonlyArray<string> => [
  ...decisionWords(story),
  ...story.events.map(({ campaignId, kind, observedAtMillis, source }) => {
    const where = campaignId === null ? "" : `, campaign ${campaignId}`
    return `  ${isoOrNull(observedAtMillis)} ${kind} (${source}${where})`
  }),
  ...story.messages.map(({ campaignId, count, state }) => `  ${count} messages ${state}, campaign ${campaignId}`),
  ...story.answers.map(({ replyId, sentReplyId, state }) => `  reply ${sentReplyId} to ${replyId}: ${state}`),
  ...story.webhooks.map(({ attempts, endpointId, eventId, failure, state, status }) => {
    const answer = status === null ? (failure ?? "") : `HTTP ${status}`
    return `  webhook ${endpointId}, event ${eventId}: ${state} after ${attempts} attempts ${answer}`.trimEnd()
  })
]

const told = (story: CallStory): Outcome => {
  const after = afterWords(story)
  const lines = [...headWords(story), ...moneyWords(story), ...(after.length === 0 ? [] : ["What followed", ...after])]
  return { json: jsonOf(story), text: lines.join("\n") }
}

/** `outbound request ID` */
export const requestCommand = (actions: Pick<Actions, "operate">, config: Effect.Effect<OutboundConfig, unknown>) => {
  const operate = (work: Effect.Effect<Outcome, unknown, CallStories>) =>
    Effect.flatMap(config, (read) => actions.operate(read, work))

  return commandOn(
    "request",
    "Shows what happened to one call, by its request id: who called, what it cost, and all that followed.",
    {},
    "id",
    (_flags, id) =>
      operate(
        Effect.gen(function* () {
          const { of } = yield* CallStories
          const found = isUuid(id) ? yield* of(id.toLowerCase()) : Option.none<CallStory>()
          if (Option.isNone(found)) return yield* new FlagMistakes({ mistakes: [`There is no such call: ${id}.`] })
          return told(found.value)
        })
      )
  )
}
