import { NoticeMachine } from "@outbound/domain/calls/approvals/notices/NoticeMachine.js"
import { ClockStore, setBackBy } from "@outbound/domain/kernel/ports/ClockStore.js"
import { CrmWriteMachine } from "@outbound/domain/outreach/crm/CrmWriteMachine.js"
import { isFinal } from "@outbound/domain/kernel/machine.js"
import { memoryStore } from "./MemoryStore.js"
import type { Table } from "./Table.js"
import type { Tables } from "./Tables.js"

/** The rows of a table, changed where the change says so. */
const each = <Row>(table: Pick<Table<Row>, "keysWhere" | "update">, change: (row: Row) => Row): void => {
  for (const key of table.keysWhere((row) => change(row) !== row)) table.update(key, change)
}

/** The row with these members changed, and the row itself where none is another. */
const withMembers = <Row extends object>(row: Row, members: Partial<Row>): Row =>
  Object.entries(members).some(([name, value]) => row[name as keyof Row] !== value) ? { ...row, ...members } : row

const setBack = (tables: Tables, nowMillis: number, backMillis: number): void => {
  const sooner = <At extends number | null>(at: At): At =>
    (at === null || at <= nowMillis ? at : Math.max(nowMillis, at - backMillis)) as At
  const atLatestNow = <At extends number | null>(at: At): At => (at === null ? at : Math.min(at, nowMillis)) as At
  const claimed = <Claim extends { readonly untilMillis: number } | null>(claim: Claim): Claim =>
    claim === null || claim.untilMillis <= nowMillis ? claim : { ...claim, untilMillis: sooner(claim.untilMillis) }

  each(tables.leads, (lead) => {
    const { nextAtMillis } = lead
    if (nextAtMillis === null || nextAtMillis <= nowMillis) return lead
    const ahead = tables.messages
      .where("lead", JSON.stringify([lead.workspaceId, lead.campaignLeadId]))
      .filter(({ claimedAtMillis }) => claimedAtMillis > nowMillis)
      .map(({ claimedAtMillis, sentAtMillis }) => sentAtMillis ?? claimedAtMillis)
    if (lead.stepsSent > 0 && ahead.length === 0) return lead
    const by = ahead.length === 0 ? backMillis : Math.max(...ahead) - nowMillis
    return { ...lead, nextAtMillis: Math.max(nowMillis, nextAtMillis - by) }
  })
  each(tables.windows, (window) =>
    window.opensAtMillis > nowMillis
      ? { ...window, opensAtMillis: nowMillis - 2, closesAtMillis: nowMillis - 1 }
      : window
  )
  each(tables.mailboxes, (row) => withMembers(row, { restsUntilMillis: sooner(row.restsUntilMillis) }))
  each(tables.receiverRests, (row) => withMembers(row, { restsUntilMillis: sooner(row.restsUntilMillis) }))
  each(tables.vendorCampaigns, (row) =>
    withMembers(row, { dueAtMillis: sooner(row.dueAtMillis), heldUntilMillis: sooner(row.heldUntilMillis) })
  )
  each(tables.vendorLeads, (row) => withMembers(row, { dueAtMillis: sooner(row.dueAtMillis) }))
  each(tables.notices, (row) => {
    const retries = NoticeMachine.is.waiting(row.state) && (row.kind === "asked" || row.attempts > 0)
    return withMembers(row, {
      dueAtMillis: retries ? sooner(row.dueAtMillis) : row.dueAtMillis,
      claim: claimed(row.claim)
    })
  })
  each(tables.interestSyncs, (row) => withMembers(row, { dueAtMillis: sooner(row.dueAtMillis) }))
  each(tables.payments, (row) => withMembers(row, { nextLookAtMillis: sooner(row.nextLookAtMillis) }))
  each(tables.domainWatches, (row) => withMembers(row, { nextLookAtMillis: sooner(row.nextLookAtMillis) }))
  each(tables.inbox, (row) =>
    row.taken || row.event.receivedAtMillis <= nowMillis
      ? row
      : { ...row, event: { ...row.event, receivedAtMillis: sooner(row.event.receivedAtMillis) } }
  )
  each(tables.alerts, (row) => withMembers(row, { dueAtMillis: sooner(row.dueAtMillis) }))
  each(tables.asks, (row) => withMembers(row, { overMillis: sooner(row.overMillis) }))
  each(tables.endpoints, (row) =>
    withMembers(row, { restsUntilMillis: sooner(row.restsUntilMillis), claim: claimed(row.claim) })
  )
  each(tables.deliveries, (row) => withMembers(row, { dueAtMillis: sooner(row.dueAtMillis) }))
  each(tables.followUps, (row) => withMembers(row, { dueAtMillis: sooner(row.dueAtMillis) }))
  each(tables.ownMailboxes, (row) => withMembers(row, { hold: claimed(row.hold) }))
  each(tables.messages, (row) =>
    withMembers(row, {
      claimedAtMillis: atLatestNow(row.claimedAtMillis),
      sentAtMillis: atLatestNow(row.sentAtMillis)
    })
  )
  each(tables.kills, (row) => {
    const kill = withMembers(row.kill, {
      suspendedAtMillis: atLatestNow(row.kill.suspendedAtMillis),
      clearedAtMillis: atLatestNow(row.kill.clearedAtMillis)
    })
    return withMembers(row, { kill })
  })
  each(tables.crmWrites, (row) =>
    withMembers(row, {
      dueAtMillis: isFinal(CrmWriteMachine, row.state) ? row.dueAtMillis : sooner(row.dueAtMillis),
      claim: row.claim === null ? null : withMembers(row.claim, { atMillis: atLatestNow(row.claim.atMillis) })
    })
  )
  each(tables.crmConnections, (row) =>
    withMembers(row, {
      reading: withMembers(row.reading, {
        beganAtMillis: atLatestNow(row.reading.beganAtMillis),
        readAtMillis: atLatestNow(row.reading.readAtMillis),
        readAllAtMillis: atLatestNow(row.reading.readAllAtMillis),
        askedAtMillis: atLatestNow(row.reading.askedAtMillis)
      })
    })
  )
  each(tables.sending, (row) => withMembers(row, { suspendedAtMillis: atLatestNow(row.suspendedAtMillis) }))
}

/** The service's clock is the store's own. */
export const layer = memoryStore(ClockStore, "ClockStore", ({ write }) => ({
  look: (nowMillis, lastMillis) =>
    write((tables) => {
      const rememberedMillis = tables.clockMarks.get("service") ?? nowMillis
      const serviceMillis = setBackBy({ rememberedMillis, lastMillis, nowMillis })
      if (serviceMillis > 0) setBack(tables, nowMillis, serviceMillis)
      tables.clockMarks.set("service", serviceMillis > 0 ? nowMillis : Math.max(nowMillis, rememberedMillis))
      return { serviceMillis, storeMillis: serviceMillis }
    })
}))
