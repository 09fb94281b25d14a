import { NoticeMachine } from "@outbound/domain/calls/approvals/notices/NoticeMachine.js"
import { ClockStore, setBackBy } from "@outbound/domain/kernel/ports/ClockStore.js"
import { each, withMembers } from "./eachRow.js"
import { memoryStore } from "./MemoryStore.js"
import type { Tables } from "./Tables.js"

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
  each(tables.mailboxes, (row) =>
    withMembers(row, {
      restsUntilMillis: sooner(row.restsUntilMillis),
      declaredAtMillis: atLatestNow(row.declaredAtMillis)
    })
  )
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
  for (const wing of tables.wings.clocks.values()) wing({ sooner, atLatestNow })
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
