import { CallStories, STORY_ROWS_MAX, type StoryMessages } from "@outbound/domain/control/CallStories.js"
import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import type { NotedCost, NotedEvidence } from "@outbound/domain/sources/CallNotes.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"
import type { CallRow, Tables } from "./Tables.js"

const listed = <A>(text: string | null | undefined): ReadonlyArray<A> =>
  text == null ? [] : (JSON.parse(text) as ReadonlyArray<A>)

const emailOf = ({ users }: Tables, userId: string | null | undefined): string | null =>
  users.filter((user) => user.userId === userId)[0]?.email ?? null

const approvalsOf = (tables: Tables, { record: { requestId }, workspaceId }: CallRow) => {
  const [claim] = tables.records.where("request", requestId)
  return tables.approvals
    .filter(
      (one) =>
        one.workspaceId === workspaceId &&
        (one.requestId === requestId || (claim?.tokenHash != null && one.tokenHash === claim.tokenHash))
    )
    .sort(ascending(({ approvalId }) => approvalId))
}

/** Of the people whom the approvals let be written to. */
const messagesOf = (tables: Tables, workspaceId: string, approvalIds: ReadonlySet<string>) => {
  const counts = new Map<string, StoryMessages>()
  for (const { campaignId, campaignLeadId, state } of tables.messages.where("workspace", workspaceId)) {
    const approvalId = tables.leads.get(keyOf(workspaceId, campaignLeadId))?.approvalId ?? null
    if (approvalId === null || !approvalIds.has(approvalId)) continue
    const key = keyOf(campaignId, state)
    counts.set(key, { campaignId, state, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts].sort(ascending(([key]) => key)).map(([, one]) => one)
}

const deliveriesOf = (tables: Tables, workspaceId: string, eventIds: ReadonlySet<string>) =>
  tables.deliveries
    .filter((one) => one.workspaceId === workspaceId && eventIds.has(one.eventId))
    .sort(ascending(({ createdAtMillis, endpointId, eventId }) => `${createdAtMillis} ${eventId} ${endpointId}`))
    .map(({ attemptedAtMillis, attempts, endpointId, eventId, failure, state, status }) => ({
      endpointId,
      eventId,
      state,
      attempts,
      status,
      failure,
      attemptedAtMillis
    }))

const storyOf = (tables: Tables, row: CallRow) => {
  const { keyId, record, workspaceId } = row
  const { requestId } = record
  const workspace = tables.workspaces.get(workspaceId)
  const key = tables.keys.get(keyId)?.key
  if (workspace === undefined || key === undefined) return Option.none()
  const [claim] = tables.records.where("request", requestId)
  const isOurs = <A extends { readonly workspaceId: string }>(of: (one: A) => boolean) => {
    return (one: A): boolean => one.workspaceId === workspaceId && of(one)
  }
  const operations = tables.operations
    .filter(({ operation }) => operation.workspaceId === workspaceId && operation.requestId === requestId)
    .map(({ operation }) => operation)
  const operationIds = new Set(operations.map(({ operationId }) => operationId))
  const events = tables.trail
    .where("workspace", workspaceId)
    .filter((one) => one.requestId === requestId || operationIds.has(one.operationId ?? ""))
    .sort(ascending(({ eventId, observedAtMillis }) => `${observedAtMillis} ${eventId}`))
    .slice(0, STORY_ROWS_MAX)
  const approvals = approvalsOf(tables, row)
  const used = approvals.filter((one) => one.requestId !== requestId)
  const grant = tables.oauthGrants.filter(isOurs((one) => one.keyId === keyId))[0]
  return Option.some({
    record,
    admitted: row.admitted,
    workspace: { workspaceId, name: workspace.name, kind: workspace.kind },
    key: { keyId, name: key.name, prefix: key.prefix, state: key.state },
    allowedBy: emailOf(tables, grant?.userId),
    runId: row.runId,
    lease:
      record.status === "pending"
        ? { host: row.hostId, isHeld: tables.hosts.get(row.hostId) === true, effectStarted: row.effectStarted }
        : null,
    idempotency:
      claim === undefined || row.idempotency === null
        ? null
        : { key: row.idempotency.key, phase: claim.phase, isRemembered: claim.outcome !== null },
    ledger: tables.ledger
      .filter(isOurs((one) => one.entryId === requestId || one.requestId === requestId))
      .map(({ atMillis, kind, micros }) => ({ kind, amount: fromMicros(micros < 0n ? -micros : micros), atMillis })),
    costs: listed<NotedCost>(row.notes?.costs),
    evidence: listed<NotedEvidence>(row.notes?.evidence),
    jobs: tables.followUps
      .filter(isOurs((one) => one.requestId === requestId))
      .sort(ascending(({ followUpId, source }) => `${source} ${followUpId}`))
      .map(({ answeredAtMillis, followUpId, isUnknown, source, tries }) => ({
        source,
        marker: followUpId,
        tries,
        isUnknown,
        answeredAtMillis
      })),
    approvals: approvals.map((one) => ({
      approvalId: one.approvalId,
      role: one.requestId === requestId ? ("asked" as const) : ("used" as const),
      target: one.target,
      state: one.state,
      createdAtMillis: one.createdAtMillis,
      decidedAtMillis: one.decidedAtMillis,
      decidedBy: emailOf(tables, one.decidedByUserId)
    })),
    offers: tables.offers
      .filter(isOurs((one) => one.requestId === requestId || one.takenByRequestId === requestId))
      .map(({ maxCredits, offerId, requestId: madeBy, usedAtMillis }) => ({
        offerId,
        role: madeBy === requestId ? ("made" as const) : ("taken" as const),
        maxCredits,
        usedAtMillis
      })),
    operations: operations.map(({ createdAtMillis, finishedAtMillis, kind, operationId, status }) => ({
      operationId,
      kind,
      status,
      createdAtMillis,
      finishedAtMillis
    })),
    events: events.map(({ campaignId, campaignLeadId, eventId, kind, observedAtMillis, operationId, source }) => ({
      eventId,
      kind,
      source,
      observedAtMillis,
      campaignId,
      campaignLeadId,
      operationId
    })),
    messages: messagesOf(tables, workspaceId, new Set(used.map(({ approvalId }) => approvalId))),
    answers: tables.sentReplies
      .where("workspace", workspaceId)
      .filter((one) => one.requestId === requestId)
      .map(({ campaignId, createdAtMillis, replyId, sentAtMillis, sentReplyId, state }) => ({
        sentReplyId,
        replyId,
        campaignId,
        state,
        createdAtMillis,
        sentAtMillis
      })),
    webhooks: deliveriesOf(tables, workspaceId, new Set(events.map(({ eventId }) => eventId)))
  })
}

export const layer = memoryStore(CallStories, "CallStories", ({ read }) => ({
  of: (requestId) =>
    read((tables) => {
      const row = tables.calls.get(requestId)
      return row === undefined ? Option.none() : storyOf(tables, row)
    })
}))
