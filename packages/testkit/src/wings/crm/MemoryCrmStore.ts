import { isFinal } from "@outbound/domain/kernel/machine.js"
import { CrmStore } from "@outbound/domain/wings/crm/CrmStore.js"
import { CrmWriteMachine } from "@outbound/domain/wings/crm/CrmWriteMachine.js"
import { isReadTooLongAgo } from "@outbound/domain/outreach/suppression/keepingOut.js"
import type { CrmMark } from "@outbound/domain/wings/crm/marks.js"
import { domainsAbove } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { Effect, Layer, Option } from "effect"
import { each, withMembers } from "../../memory/eachRow.js"
import { Memory } from "../../memory/Memory.js"
import type { Keeper, SetBack } from "../../memory/WingRows.js"
import { memoryStore } from "../../memory/MemoryStore.js"
import { ascending, keyOf } from "../../memory/Table.js"
import { crmTables, type CrmWriteRow } from "./CrmRows.js"
import type { Tables } from "../../memory/Tables.js"

/** Whom a workspace's CRM keeps out, and whether that was read within the last day. */
const keeping = (tables: Tables): void => {
  const { crmConnections, crmMarks, crmOwners, crmWrites } = tables.wings.of(crmTables)

  const standings: Keeper["standings"] = ({ addressHash, email, workspaceId }) => {
    const policy = crmConnections.get(workspaceId)?.policy
    if (policy === undefined) return []
    const isOurs = (ownerRef: string | null) => {
      const userId = crmOwners.get(keyOf(workspaceId, ownerRef ?? ""))?.userId ?? null
      return tables.memberships.has(keyOf(userId ?? "", workspaceId))
    }
    const keeps = ({ ownerRef, standing }: CrmMark) =>
      ({
        opted_out: true,
        bounced: true,
        customer: policy.keepsCustomers,
        open_deal: policy.keepsOpenDeals,
        owned: policy.keepsOwned && !isOurs(ownerRef)
      })[standing]
    const theirs = [addressHash, ...domainsAbove(email)].flatMap((value) =>
      crmMarks.where("value", keyOf(workspaceId, value))
    )
    return theirs.filter(keeps).map(({ standing }) => standing)
  }

  const isUnread: Keeper["isUnread"] = (workspaceId, nowMillis) => {
    const connection = crmConnections.get(workspaceId)
    if (connection === undefined) return false
    const { readAtMillis } = connection.reading
    return isReadTooLongAgo(readAtMillis, nowMillis)
  }

  const setBack = ({ atLatestNow, sooner }: SetBack): void => {
    each(crmWrites, (row) =>
      withMembers(row, {
        dueAtMillis: isFinal(CrmWriteMachine, row.state) ? row.dueAtMillis : sooner(row.dueAtMillis),
        claim: row.claim === null ? null : withMembers(row.claim, { atMillis: atLatestNow(row.claim.atMillis) })
      })
    )
    each(crmConnections, (row) =>
      withMembers(row, {
        reading: withMembers(row.reading, {
          beganAtMillis: atLatestNow(row.reading.beganAtMillis),
          readAtMillis: atLatestNow(row.reading.readAtMillis),
          readAllAtMillis: atLatestNow(row.reading.readAllAtMillis),
          askedAtMillis: atLatestNow(row.reading.askedAtMillis)
        })
      })
    )
  }

  tables.wings.keepers.set("crm", { standings, isUnread })
  tables.wings.clocks.set("crm", setBack)
}

const writeKey = ({ workspaceId, writeId }: Pick<CrmWriteRow, "workspaceId" | "writeId">) => keyOf(workspaceId, writeId)

const isSameThing = (a: CrmWriteRow, b: Pick<CrmWriteRow, "kind" | "campaignLeadId" | "replyId">) =>
  a.kind === b.kind && a.campaignLeadId === b.campaignLeadId && a.replyId === b.replyId

/** Whom the owner of a lead's launch is there. */
const ownerRefOf = (tables: Tables, workspaceId: string, approvalId: string | null): string | null => {
  const userId = tables.approvals.get(keyOf(workspaceId, approvalId ?? ""))?.decidedByUserId ?? null
  if (userId === null) return null
  const { crmOwners } = tables.wings.of(crmTables)
  const refs = crmOwners.filter((owner) => owner.workspaceId === workspaceId && owner.userId === userId)
  return refs.sort(ascending(({ ref }) => ref))[0]?.ref ?? null
}

const claimed = (tables: Tables, row: CrmWriteRow, claimId: string) => {
  const { workspaceId } = row
  const lead = tables.leads.get(keyOf(workspaceId, row.campaignLeadId))
  const campaign = tables.campaigns.get(keyOf(workspaceId, lead?.campaignId ?? ""))
  if (lead === undefined || campaign === undefined) return Option.none()
  const reply = row.replyId === null ? undefined : tables.replies.get(keyOf(workspaceId, row.replyId))
  const { companyName, email, firstName, lastName } = lead
  const { atMillis, attempts, campaignLeadId, kind, replyId, state, writeId } = row
  return Option.some({
    workspaceId,
    writeId,
    kind,
    campaignLeadId,
    replyId,
    atMillis,
    state,
    claimId,
    attempts,
    campaignName: campaign.name,
    person: { email, firstName, lastName, companyName },
    reply:
      reply === undefined
        ? null
        : {
            subject: reply.subject,
            bodyText: reply.bodyText,
            classification: reply.classification,
            receivedAtMillis: reply.receivedAtMillis
          },
    ownerRef: ownerRefOf(tables, workspaceId, lead.approvalId)
  })
}

/** Work on the rows of CRMs, and on the core's. */
type Work<A> = (rows: ReturnType<typeof crmTables>, tables: Tables) => A
const onRows =
  <A>(work: Work<A>) =>
  (tables: Tables): A =>
    work(tables.wings.of(crmTables), tables)

const store = memoryStore(CrmStore, "CrmStore", (memory) => {
  const read = <A>(work: Work<A>) => memory.read(onRows(work))
  const write = <A>(work: Work<A>) => memory.write(onRows(work))
  return {
    get: (workspaceId) => read(({ crmConnections }) => crmConnections.find(workspaceId)),
    lock: (workspaceId) => read(({ crmConnections }) => crmConnections.find(workspaceId)),
    put: (connection) => write(({ crmConnections }) => crmConnections.set(connection.workspaceId, connection)),
    remove: (workspaceId) =>
      write(({ crmConnections, crmMarks, crmOwners, crmWrites }) => {
        crmConnections.delete(workspaceId)
        for (const { ref, standing, value } of crmMarks.where("workspace", workspaceId)) {
          crmMarks.delete(keyOf(workspaceId, value, standing, ref))
        }
        for (const owner of crmOwners.filter((one) => one.workspaceId === workspaceId)) {
          crmOwners.delete(keyOf(workspaceId, owner.ref))
        }
        for (const row of crmWrites.filter((one) => one.workspaceId === workspaceId)) {
          if (!CrmWriteMachine.is.open(row.state)) continue
          crmWrites.set(writeKey(row), { ...row, state: "cancelled", claim: null, endedAtMillis: row.dueAtMillis })
        }
      }),
    connected: (limit) =>
      read(({ crmConnections }) =>
        crmConnections
          .filter(() => true)
          .sort(
            ascending(
              ({ reading }) => reading.askedAtMillis ?? 0,
              ({ workspaceId }) => workspaceId
            )
          )
          .slice(0, limit)
          .map(({ workspaceId }) => workspaceId)
      ),
    replaceMarks: ({ generation, marks, refs, workspaceId }) =>
      write(({ crmMarks }) => {
        const replaced = new Set(refs)
        for (const { ref, standing, value } of crmMarks.where("workspace", workspaceId)) {
          if (replaced.has(ref)) crmMarks.delete(keyOf(workspaceId, value, standing, ref))
        }
        for (const mark of marks) {
          crmMarks.set(keyOf(workspaceId, mark.value, mark.standing, mark.ref), { ...mark, workspaceId, generation })
        }
      }),
    sweepMarks: (workspaceId, generation, limit) =>
      write(({ crmMarks }) =>
        crmMarks.deleteFirst(limit, (mark) => mark.workspaceId === workspaceId && mark.generation < generation)
      ),
    countMarks: (workspaceId, max) =>
      read(({ crmMarks }) =>
        Math.min(max, new Set(crmMarks.where("workspace", workspaceId).map(({ value }) => value)).size)
      ),
    putOwners: (workspaceId, owners) =>
      write(({ crmOwners }, { memberships, users }) => {
        const kept = new Set(owners.map(({ ref }) => ref))
        for (const { ref } of crmOwners.filter((one) => one.workspaceId === workspaceId)) {
          if (!kept.has(ref)) crmOwners.delete(keyOf(workspaceId, ref))
        }
        const memberOf = (email: string | null) => {
          const userId = users.get(email?.toLowerCase() ?? "")?.userId ?? ""
          return memberships.has(keyOf(userId, workspaceId)) ? userId : null
        }
        for (const { email, name, ref } of owners) {
          const known = crmOwners.get(keyOf(workspaceId, ref))
          const userId = known === undefined ? memberOf(email) : known.userId
          crmOwners.set(keyOf(workspaceId, ref), { workspaceId, ref, name, email, userId })
        }
      }),
    owners: (workspaceId) =>
      read(({ crmOwners }) =>
        crmOwners
          .filter((owner) => owner.workspaceId === workspaceId)
          .sort(
            ascending(
              ({ name }) => name,
              ({ ref }) => ref
            )
          )
          .map(({ workspaceId: _, ...owner }) => owner)
      ),
    mapOwner: (workspaceId, ownerRef, userId) =>
      write(({ crmOwners }) => {
        const owner = crmOwners.get(keyOf(workspaceId, ownerRef))
        if (owner !== undefined) crmOwners.set(keyOf(workspaceId, ownerRef), { ...owner, userId })
        return owner !== undefined
      }),
    queue: (asked) =>
      write(({ crmConnections, crmWrites }) => {
        const policy = crmConnections.get(asked.workspaceId)?.policy
        if (policy === undefined || !(asked.kind === "reply" ? policy.writesReplies : policy.writesMeetings)) return
        const isKnown = crmWrites.filter(
          (row) => row.workspaceId === asked.workspaceId && isSameThing(row, asked)
        ).length
        if (isKnown > 0) return
        const { atMillis: dueAtMillis } = asked
        const begun = { state: CrmWriteMachine.initial, attempts: 0, dueAtMillis, claim: null, endedAtMillis: null }
        crmWrites.insert(writeKey(asked), { ...asked, ...begun })
      }),
    claimWrite: ({ claimId, lapsedMillis, nowMillis, workspaceId }) =>
      write(({ crmWrites }, tables) => {
        for (const row of crmWrites.filter((one) => one.workspaceId === workspaceId)) {
          const isLapsed = (row.claim?.atMillis ?? nowMillis) <= lapsedMillis
          if (CrmWriteMachine.is.writing(row.state) && isLapsed) {
            crmWrites.set(writeKey(row), { ...row, state: "unknown", claim: null })
          }
        }
        const [due] = crmWrites
          .filter((row) => row.workspaceId === workspaceId && row.dueAtMillis <= nowMillis)
          .filter(({ state }) => CrmWriteMachine.is.waiting(state) || CrmWriteMachine.is.unknown(state))
          .sort(
            ascending(
              ({ dueAtMillis }) => dueAtMillis,
              ({ writeId }) => writeId
            )
          )
        if (due === undefined) return Option.none()
        const now: CrmWriteRow = {
          ...due,
          state: CrmWriteMachine.is.waiting(due.state) ? "writing" : due.state,
          attempts: due.attempts + 1,
          claim: { claimId, atMillis: nowMillis }
        }
        crmWrites.set(writeKey(now), now)
        return claimed(tables, now, claimId)
      }),
    recordWrite: ({ claimId, workspaceId, writeId }, { atMillis, dueAtMillis, state }) =>
      write(({ crmWrites }) => {
        const row = crmWrites.get(keyOf(workspaceId, writeId))
        if (row === undefined || row.claim?.claimId !== claimId) return false
        const endedAtMillis = isFinal(CrmWriteMachine, state) ? atMillis : null
        crmWrites.set(writeKey(row), { ...row, state, dueAtMillis, claim: null, endedAtMillis })
        return true
      }),
    countWrites: (workspaceId) =>
      read(({ crmWrites }) => {
        const theirs = crmWrites.filter((row) => row.workspaceId === workspaceId).map(({ state }) => state)
        return {
          open: theirs.filter((state) => CrmWriteMachine.is.open(state)).length,
          written: theirs.filter((state) => CrmWriteMachine.is.written(state)).length,
          failed: theirs.filter((state) => CrmWriteMachine.is.failed(state)).length
        }
      }),
    purgeWrites: (beforeMillis, limit) =>
      write(({ crmWrites }) =>
        crmWrites.deleteFirst(limit, ({ endedAtMillis }) => endedAtMillis !== null && endedAtMillis < beforeMillis)
      )
  }
})

export const layer = Layer.merge(store, Layer.effectDiscard(Effect.flatMap(Memory, ({ read }) => read(keeping))))
