import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { type Kill, KillStore } from "@outbound/domain/control/KillStore.js"
import { SentReplyMachine } from "@outbound/domain/outreach/replies/SentReplyMachine.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"
import type { KillRow, Tables } from "./Tables.js"

const killOf = ({ kills }: Tables, workspaceId: string, killId: string): KillRow => {
  const row = kills.get(keyOf(workspaceId, killId))
  if (row === undefined) throw new Error("there is no such kill")
  return row
}

const change = (tables: Tables, workspaceId: string, killId: string, to: (kill: Kill) => Kill): Kill => {
  const kill = to(killOf(tables, workspaceId, killId).kill)
  tables.kills.update(keyOf(workspaceId, killId), (row) => ({ ...row, kill }))
  return kill
}

const unverified = ({ campaigns }: KillRow): ReadonlyArray<string> =>
  Object.keys(campaigns)
    .filter((campaignId) => campaigns[campaignId] === null)
    .sort()

export const layer = memoryStore(KillStore, "KillStore", ({ read, write }) => ({
  insert: (kill, campaignIds) =>
    write(({ kills, messages }) => {
      const stands = kills.some((row) => row.kill.workspaceId === kill.workspaceId && row.kill.clearedAtMillis === null)
      if (stands) throw new Error("another kill stands")
      kills.insert(keyOf(kill.workspaceId, kill.killId), {
        kill,
        campaigns: Object.fromEntries(campaignIds.map((campaignId) => [campaignId, null]))
      })
      const at = kill.suspendedAtMillis
      for (const { claimedAtMillis, messageId, sentAtMillis, state } of messages.where("workspace", kill.workspaceId)) {
        if (claimedAtMillis <= at || MessageMachine.is.unsent(state)) continue
        messages.update(keyOf(kill.workspaceId, messageId), (row) => ({
          ...row,
          claimedAtMillis: at,
          sentAtMillis: sentAtMillis === null ? null : Math.min(sentAtMillis, at)
        }))
      }
    }),
  standing: (workspaceId) =>
    read(({ kills }) =>
      Option.map(
        Option.fromNullishOr(
          kills.filter(({ kill }) => kill.workspaceId === workspaceId && kill.clearedAtMillis === null)[0]
        ),
        ({ kill }) => kill
      )
    ),
  get: (workspaceId, killId) =>
    read(({ kills }) => Option.map(kills.find(keyOf(workspaceId, killId)), ({ kill }) => kill)),
  answer: (workspaceId, killId, unconfirmed) =>
    write((tables) =>
      change(tables, workspaceId, killId, (kill) => ({ ...kill, unconfirmed: kill.unconfirmed ?? unconfirmed }))
    ),
  clear: (workspaceId, killId, atMillis) =>
    write((tables) => {
      change(tables, workspaceId, killId, (kill) => ({ ...kill, clearedAtMillis: atMillis }))
    }),
  unverified: (workspaceId, killId) =>
    read((tables) =>
      unverified(killOf(tables, workspaceId, killId)).map((campaignId) => ({
        campaignId,
        atProvider: tables.leads
          .where("campaign", keyOf(workspaceId, campaignId))
          .some((lead) => tables.mailboxes.get(keyOf(workspaceId, lead.mailboxId ?? ""))?.kind === "purchased")
      }))
    ),
  verify: (workspaceId, killId, campaignId, atMillis) =>
    write((tables) => {
      const { campaigns } = killOf(tables, workspaceId, killId)
      if (campaigns[campaignId] !== null) return false
      tables.kills.update(keyOf(workspaceId, killId), (row) => ({
        ...row,
        campaigns: { ...row.campaigns, [campaignId]: atMillis }
      }))
      return true
    }),
  inFlight: (workspaceId) =>
    read(({ messages, sentReplies }) => {
      const claimed = messages.where("workspace", workspaceId).filter(({ state }) => MessageMachine.is.inFlight(state))
      const asked = sentReplies
        .where("workspace", workspaceId)
        .filter(({ askedAtMillis, state }) => SentReplyMachine.is.pending(state) && askedAtMillis !== null)
      return [...new Set([...claimed, ...asked].map(({ campaignId }) => campaignId))].sort()
    }),
  reach: (workspaceId, limit) =>
    read(({ approvals, campaigns, mailboxes }) => {
      const active = campaigns.filter((one) => one.workspaceId === workspaceId && CampaignMachine.is.running(one.state))
      return {
        campaigns: active
          .sort(
            ascending(
              ({ name }) => name,
              ({ campaignId }) => campaignId
            )
          )
          .slice(0, limit)
          .map(({ campaignId, name }) => ({ campaignId, name })),
        campaignsTotal: active.length,
        activeMailboxes: mailboxes.filter(
          (one) => one.workspaceId === workspaceId && MailboxMachine.is.sending(one.state)
        ).length,
        openApprovals: approvals.filter((one) => one.workspaceId === workspaceId && ApprovalMachine.is.open(one.state))
          .length
      }
    }),
  open: (limit) =>
    read(({ kills }) =>
      kills
        .filter((row) => unverified(row).length > 0)
        .sort(ascending(({ kill }) => kill.suspendedAtMillis))
        .slice(0, limit)
        .map(({ kill }) => ({ workspaceId: kill.workspaceId, killId: kill.killId }))
    )
}))
