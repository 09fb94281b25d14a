import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { MAY_SEND } from "@outbound/domain/outreach/sending/vendor/VendorCampaignMachine.js"
import { VendorLeadMachine, type VendorLeadState } from "@outbound/domain/outreach/sending/vendor/VendorLeadMachine.js"
import {
  type Leaving,
  type TurnOptions,
  type VendorCampaign,
  type VendorLead,
  type VendorLeadAt,
  VendorStore
} from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { sourcesOf } from "./MemorySuppressionStore.js"
import { ascending, keyOf } from "./Table.js"
import type { Tables, VendorCampaignRow } from "./Tables.js"

const keyOfCampaign = ({ campaignId, workspaceId }: Pick<VendorCampaign, "workspaceId" | "campaignId">) =>
  keyOf(workspaceId, campaignId)

const keyOfLead = ({ campaignLeadId, workspaceId }: Pick<VendorLead, "workspaceId" | "campaignLeadId">) =>
  keyOf(workspaceId, campaignLeadId)

/** The campaign's people, by id. */
const peopleOf = ({ leads, vendorLeads }: Tables, workspaceId: string, campaignId: string) =>
  vendorLeads
    .where("campaign", keyOf(workspaceId, campaignId))
    .flatMap((vendorLead): ReadonlyArray<VendorLeadAt> => {
      const lead = leads.get(keyOfLead(vendorLead))
      return lead === undefined ? [] : [{ vendorLead, lead }]
    })
    .sort(ascending(({ vendorLead }) => vendorLead.campaignLeadId))

const hasSaidNo = (tables: Tables, { lead }: VendorLeadAt): boolean =>
  sourcesOf(tables, lead.workspaceId, lead.addressHash, lead.email).some((source) => source !== "reply")

const mayBeThere: ReadonlySet<VendorLeadState> = new Set(["asked", "missing", "present", "leaving"])

const leavingOf = (tables: Tables, at: VendorLeadAt): ReadonlyArray<Leaving> => {
  const { lead, vendorLead } = at
  const isKnown = lead.email === "" && vendorLead.ref !== null
  if (LeadMachine.is.open(lead.state) && !isKnown) return []
  const blocks = hasSaidNo(tables, at)
  const goes =
    !LeadMachine.is.finished(lead.state) &&
    (VendorLeadMachine.is.waiting(vendorLead.state) || mayBeThere.has(vendorLead.state))
  const toBlock =
    blocks && !vendorLead.blocked && (VendorLeadMachine.is.gone(vendorLead.state) || mayBeThere.has(vendorLead.state))
  return goes || toBlock || isKnown ? [{ ...at, blocks }] : []
}

const taken = ({ heldUntilMillis }: TurnOptions, row: VendorCampaignRow): VendorCampaignRow => ({
  campaign: { ...row.campaign, turn: row.campaign.turn + 1 },
  dueAtMillis: heldUntilMillis,
  heldUntilMillis
})

const isFree = (row: VendorCampaignRow, nowMillis: number): boolean =>
  row.heldUntilMillis === null || row.heldUntilMillis <= nowMillis

const earliest = (...times: ReadonlyArray<number | null>): number | null => {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}

const wake = ({ vendorCampaigns }: Tables, key: string, nowMillis: number): void => {
  if (!vendorCampaigns.has(key)) return
  vendorCampaigns.update(key, (row) => ({ ...row, dueAtMillis: earliest(row.dueAtMillis, nowMillis) }))
}

const mayBeSending = ({ vendorCampaigns }: Tables, workspaceId: string): ReadonlyArray<string> =>
  vendorCampaigns
    .filter(({ campaign }) => campaign.workspaceId === workspaceId && MAY_SEND.includes(campaign.state))
    .map(({ campaign }) => campaign.campaignId)
    .sort()

export const layer = memoryStore(VendorStore, "VendorStore", ({ read, write }) => ({
  insert: (campaign) =>
    write(({ vendorCampaigns }) =>
      vendorCampaigns.insert(keyOfCampaign(campaign), { campaign, dueAtMillis: null, heldUntilMillis: null })
    ),
  addLeads: ({ campaignId, workspaceId }, campaignLeadIds, nowMillis) =>
    write((tables) => {
      for (const campaignLeadId of campaignLeadIds) {
        tables.vendorLeads.insert(keyOf(workspaceId, campaignLeadId), {
          workspaceId,
          campaignId,
          campaignLeadId,
          state: VendorLeadMachine.initial,
          ref: null,
          pushes: 0,
          looks: 0,
          dueAtMillis: nowMillis,
          leavingAtMillis: null,
          blocked: false
        })
      }
      wake(tables, keyOf(workspaceId, campaignId), nowMillis)
    }),
  get: (workspaceId, campaignId) =>
    read(({ vendorCampaigns }) => Option.fromNullishOr(vendorCampaigns.get(keyOf(workspaceId, campaignId))?.campaign)),
  lock: (workspaceId, campaignId) =>
    read(({ vendorCampaigns }) => Option.fromNullishOr(vendorCampaigns.get(keyOf(workspaceId, campaignId))?.campaign)),
  update: (campaign) =>
    write(({ vendorCampaigns }) =>
      vendorCampaigns.update(keyOfCampaign(campaign), (row) => ({
        ...row,
        campaign: { ...campaign, turn: row.campaign.turn }
      }))
    ),
  takeTurns: (options) =>
    write(({ vendorCampaigns }) =>
      vendorCampaigns
        .filter(
          (row) => row.dueAtMillis !== null && row.dueAtMillis <= options.nowMillis && isFree(row, options.nowMillis)
        )
        .sort(
          ascending(
            ({ dueAtMillis }) => dueAtMillis ?? 0,
            ({ campaign }) => campaign.campaignId
          )
        )
        .slice(0, options.limit)
        .map((row) => {
          const now = taken(options, row)
          vendorCampaigns.set(keyOfCampaign(row.campaign), now)
          return now.campaign
        })
    ),
  takeTurn: (workspaceId, campaignId, options) =>
    write(({ vendorCampaigns }) => {
      const row = vendorCampaigns.get(keyOf(workspaceId, campaignId))
      if (row === undefined || !isFree(row, options.nowMillis)) return Option.none()
      const now = taken(options, row)
      vendorCampaigns.set(keyOf(workspaceId, campaignId), now)
      return Option.some(now.campaign)
    }),
  endTurn: (campaign, dueAtMillis) =>
    write(({ vendorCampaigns }) => {
      const row = vendorCampaigns.get(keyOfCampaign(campaign))
      if (row === undefined || row.campaign.turn !== campaign.turn) return
      const isWoken = row.dueAtMillis !== null && row.heldUntilMillis !== null && row.dueAtMillis < row.heldUntilMillis
      vendorCampaigns.set(keyOfCampaign(campaign), {
        ...row,
        dueAtMillis: isWoken ? earliest(row.dueAtMillis, dueAtMillis) : dueAtMillis,
        heldUntilMillis: null
      })
    }),
  wake: (workspaceId, campaignIds, nowMillis) =>
    write((tables) => {
      for (const campaignId of campaignIds) wake(tables, keyOf(workspaceId, campaignId), nowMillis)
    }),
  wakeAll: (workspaceId, nowMillis) =>
    write((tables) => {
      const theirs = tables.vendorCampaigns.filter(({ campaign }) => campaign.workspaceId === workspaceId)
      for (const { campaign } of theirs) wake(tables, keyOfCampaign(campaign), nowMillis)
    }),
  among: (workspaceId, campaignIds) =>
    read(
      ({ vendorCampaigns }) =>
        new Set(campaignIds.filter((campaignId) => vendorCampaigns.has(keyOf(workspaceId, campaignId))))
    ),
  mayBeSending: (workspaceId) => read((tables) => mayBeSending(tables, workspaceId)),
  activeCampaigns: (workspaceId) =>
    read(
      ({ campaigns, vendorCampaigns }) =>
        vendorCampaigns.filter(
          ({ campaign }) =>
            campaign.workspaceId === workspaceId &&
            CampaignMachine.is.running(campaigns.get(keyOfCampaign(campaign))?.state)
        ).length
    ),
  leadsDue: (workspaceId, campaignId, states, { byMillis, limit }) =>
    read((tables) =>
      peopleOf(tables, workspaceId, campaignId)
        .filter(({ vendorLead }) => states.includes(vendorLead.state) && vendorLead.dueAtMillis <= byMillis)
        .sort(
          ascending(
            ({ vendorLead }) => vendorLead.dueAtMillis,
            ({ vendorLead }) => vendorLead.campaignLeadId
          )
        )
        .slice(0, limit)
    ),
  counts: (workspaceId, campaignId) =>
    read(({ vendorLeads }) => {
      const leadsAtVendor = vendorLeads.where("campaign", keyOf(workspaceId, campaignId))
      return Object.fromEntries(
        VendorLeadMachine.states.map((state) => [state, leadsAtVendor.filter((one) => one.state === state).length])
      ) as Record<VendorLeadState, number>
    }),
  presentLeads: (workspaceId, campaignId) =>
    read(({ vendorLeads }) => {
      const leadsAtVendor = vendorLeads.where("campaign", keyOf(workspaceId, campaignId))
      return new Set(
        leadsAtVendor.flatMap(({ campaignLeadId, state }) =>
          VendorLeadMachine.is.present(state) ? [campaignLeadId] : []
        )
      )
    }),
  nextDue: (workspaceId, campaignId, states) =>
    read(({ vendorLeads }) =>
      earliest(
        ...vendorLeads
          .where("campaign", keyOf(workspaceId, campaignId))
          .flatMap(({ dueAtMillis, state }) => (states.includes(state) ? [dueAtMillis] : []))
      )
    ),
  hurry: (workspaceId, campaignId, nowMillis) =>
    write(({ vendorLeads }) => {
      for (const lead of vendorLeads.where("campaign", keyOf(workspaceId, campaignId))) {
        if (!VendorLeadMachine.is.missing(lead.state)) continue
        vendorLeads.set(keyOfLead(lead), { ...lead, dueAtMillis: Math.min(lead.dueAtMillis, nowMillis) })
      }
    }),
  lockLeads: (workspaceId, campaignLeadIds) =>
    read(({ vendorLeads }) =>
      campaignLeadIds.toSorted().flatMap((id) => vendorLeads.get(keyOf(workspaceId, id)) ?? [])
    ),
  updateLeads: (leads) =>
    write(({ vendorLeads }) => {
      for (const lead of leads) vendorLeads.update(keyOfLead(lead), () => lead)
    }),
  leaving: (workspaceId, campaignId, limit) =>
    read((tables) =>
      peopleOf(tables, workspaceId, campaignId)
        .flatMap((at) => leavingOf(tables, at))
        .sort(
          ascending(
            ({ vendorLead }) => vendorLead.leavingAtMillis ?? Number.MAX_SAFE_INTEGER,
            ({ vendorLead }) => vendorLead.campaignLeadId
          )
        )
        .slice(0, limit)
    ),
  openLeads: (workspaceId, campaignId) =>
    read((tables) =>
      peopleOf(tables, workspaceId, campaignId).flatMap(({ lead: { addressHash, campaignLeadId, email, state } }) =>
        LeadMachine.is.open(state) ? [{ campaignLeadId, addressHash, email }] : []
      )
    ),
  elsewhere: (workspaceId, campaignId) =>
    read((tables) => {
      const sending = mayBeSending(tables, workspaceId)
      return peopleOf(tables, workspaceId, campaignId).flatMap(({ lead }) => {
        if (!["pending", "ready"].includes(lead.state) || lead.stepsSent > 0) return []
        const isWrittenTo = tables.leads.where("person", keyOf(workspaceId, lead.addressHash)).some((other) => {
          const vendorLead = tables.vendorLeads.get(keyOfLead(other))
          return (
            other.campaignId !== campaignId &&
            vendorLead !== undefined &&
            mayBeThere.has(vendorLead.state) &&
            LeadMachine.is.open(other.state) &&
            sending.includes(other.campaignId)
          )
        })
        return isWrittenTo ? [lead] : []
      })
    }),
  findLead: (workspaceId, campaignId, { addressHash, ref }) =>
    read((tables) => {
      const people = peopleOf(tables, workspaceId, campaignId)
      const found =
        people.find(({ vendorLead }) => ref !== null && vendorLead.ref === ref) ??
        people.find(({ lead }) => lead.email !== "" && lead.addressHash === addressHash)
      return Option.fromNullishOr(found)
    }),
  leadAt: (workspaceId, campaignLeadId) =>
    read(({ leads, vendorLeads }) => {
      const key = keyOf(workspaceId, campaignLeadId)
      const vendorLead = vendorLeads.get(key)
      const lead = leads.get(key)
      return vendorLead === undefined || lead === undefined ? Option.none() : Option.some({ vendorLead, lead })
    }),
  recordSent: (message, addressHash) =>
    write((tables) => {
      const { campaignId, campaignLeadId, messageId, sentAtMillis, stepIndex, workspaceId } = message
      const known = tables.messages
        .where("lead", keyOf(workspaceId, campaignLeadId))
        .some((one) => one.stepIndex === stepIndex && !MessageMachine.is.unsent(one.state))
      if (known || tables.messages.has(keyOf(workspaceId, messageId))) return false
      tables.messages.insert(keyOf(workspaceId, messageId), message)
      tables.contacts.set(keyOf(workspaceId, messageId), {
        workspaceId,
        addressHash,
        campaignId,
        atMillis: sentAtMillis ?? message.claimedAtMillis
      })
      return true
    }),
  lastSent: (workspaceId, campaignLeadId) =>
    read(({ messages }) =>
      Option.fromNullishOr(
        messages
          .where("lead", keyOf(workspaceId, campaignLeadId))
          .filter(({ state }) => MessageMachine.is.left(state))
          .sort(ascending(({ stepIndex }) => -stepIndex))[0]
      )
    ),
  orderState: (workspaceId, operationId) =>
    read(({ vendorOrders }) => vendorOrders.get(keyOf(workspaceId, operationId)) ?? null),
  setOrderState: (workspaceId, operationId, state) =>
    write(({ vendorOrders }) => {
      const key = keyOf(workspaceId, operationId)
      if (state === null) vendorOrders.delete(key)
      else vendorOrders.set(key, state)
    })
}))
