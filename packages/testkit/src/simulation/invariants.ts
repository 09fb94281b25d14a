/**
 * What must hold of the in-memory stores after each step, as `outbound check` says it of the database: the rules have
 * the same names. Each returns what breaks it.
 */
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { keyOf } from "../memory/Table.js"
import type { CallRow, Tables } from "../memory/Tables.js"

type Rule = (tables: Tables) => ReadonlyArray<string>

/** As `outbound check` has them: two hosts' clocks differ a little, and a claim lasts for a while. */
const CLOCK_TOLERANCE = 5_000
const CLAIM_TOLERANCE = 120_000

const all = <Row>(table: { readonly filter: (keep: (row: Row) => boolean) => Array<Row> }): Array<Row> =>
  table.filter(() => true)

/** The states of those who answered or opted out. Who bounced is suppressed only where the address is proven not to exist. */
const { reply, unsubscribe } = LeadMachine.table.active
const ANSWERED = new Set<string>([reply, unsubscribe])

const isOpen = ({ record }: CallRow): boolean => record.status === "pending"

const sum = <Row>(rows: ReadonlyArray<Row>, of: (row: Row) => bigint): bigint =>
  rows.reduce((total, row) => total + of(row), 0n)

/** What the calls hold and cost. */
const committed = (calls: ReadonlyArray<CallRow>) => ({
  reserved: sum(calls.filter(isOpen), ({ record }) => record.reserved),
  charged: sum(calls, ({ record }) => record.charged)
})

const suppressedAt = (tables: Tables, workspaceId: string, addressHash: string): number =>
  Math.min(
    Infinity,
    ...tables.suppressions
      .filter((row) => row.workspaceId === workspaceId && row.addressHash === addressHash)
      .map(({ atMillis }) => atMillis)
  )

export const INVARIANTS: Readonly<Record<string, Rule>> = {
  balance_is_the_ledger: (tables) =>
    tables.workspaces
      .keysWhere(() => true)
      .flatMap((workspaceId) => {
        const account = tables.accounts.get(workspaceId)
        const ledger = sum(
          tables.ledger.filter((row) => row.workspaceId === workspaceId),
          ({ micros }) => micros
        )
        const { reserved } = committed(tables.calls.where("workspace", workspaceId))
        const says = `${account?.balance ?? 0n} with ${account?.reserved ?? 0n} reserved`
        const isSo = account?.balance === ledger && account.reserved === reserved && ledger >= reserved
        return isSo ? [] : [`${workspaceId}: ${says}, ledger ${ledger}, calls ${reserved}`]
      }),

  keys_count_their_calls: (tables) =>
    tables.usage
      .keysWhere(() => true)
      .flatMap((keyId) => {
        const usage = tables.usage.get(keyId)
        const calls = tables.calls.filter((call) => call.keyId === keyId && call.month === usage?.month)
        const { charged, reserved } = committed(calls)
        return usage?.spent === charged && usage.reserved === reserved ? [] : [`key ${keyId}: ${charged}, ${reserved}`]
      }),

  keys_stay_within_their_caps: (tables) =>
    tables.usage
      .keysWhere(() => true)
      .flatMap((keyId) => {
        const [usage, cap] = [tables.usage.get(keyId), tables.keys.get(keyId)?.key.monthlySpendCap ?? null]
        return usage === undefined || cap === null || usage.spent + usage.reserved <= cap ? [] : [`key ${keyId}`]
      }),

  failures_cost_nothing: (tables) =>
    tables.calls
      .filter(({ record }) => record.errorCode !== null && record.charged > 0n)
      .map(({ record }) => `call ${record.requestId} of ${record.verb}`),

  charges_are_calls: (tables) => {
    const charges = new Map(
      tables.ledger.filter(({ kind }) => kind === "charge").map((row) => [row.requestId, -row.micros])
    )
    const calls = tables.calls.filter(({ record }) => record.charged > 0n)
    const wrong = calls.filter(({ record }) => charges.get(record.requestId) !== record.charged)
    return [
      ...wrong.map(({ record }) => `call ${record.requestId} cost ${record.charged}`),
      ...(charges.size === calls.length ? [] : [`${charges.size} charges of ${calls.length} calls`])
    ]
  },

  claims_have_a_call: (tables) =>
    tables.records
      .filter(({ outcome, requestId }) => {
        const status = tables.calls.get(requestId)?.record.status
        return outcome === null && status !== "pending" && status !== "unknown"
      })
      .map(({ requestId }) => `call ${requestId}`),

  one_request_stands: (tables) => {
    const targets = tables.approvals
      .filter(({ state }) => ApprovalMachine.in.open.some((open) => open === state))
      .map(({ target, workspaceId }) => `${workspaceId} ${target}`)
    return targets.filter((target, index) => targets.indexOf(target) !== index)
  },

  suspensions_are_kills: (tables) =>
    tables.sending
      .keysWhere(() => true)
      .flatMap((workspaceId) => {
        const since = tables.sending.get(workspaceId)?.suspendedAtMillis ?? null
        const standing = tables.kills.filter(
          ({ kill }) => kill.workspaceId === workspaceId && kill.clearedAtMillis === null
        )
        const isSo = since === null ? standing.length === 0 : standing[0]?.kill.suspendedAtMillis === since
        return isSo ? [] : [`workspace ${workspaceId}`]
      }),

  killed_campaigns_never_restart: (tables) =>
    all(tables.kills).flatMap(({ campaigns, kill }) =>
      Object.keys(campaigns).filter((campaignId) => {
        const campaign = tables.campaigns.get(keyOf(kill.workspaceId, campaignId))
        return CampaignMachine.is.running(campaign?.state) || campaign?.pauseReason !== "killed"
      })
    ),

  messages_are_covered: (tables) =>
    all(tables.messages).flatMap(({ campaignLeadId, messageId, workspaceId }) => {
      const lead = tables.leads.get(keyOf(workspaceId, campaignLeadId))
      const approval = tables.approvals.get(keyOf(workspaceId, lead?.approvalId ?? ""))
      return ApprovalMachine.is.used(approval?.state) ? [] : [`message ${messageId}`]
    }),

  covers_are_spent: (tables) =>
    tables.leads
      .filter(({ approvalId, workspaceId }) => {
        const approval = approvalId === null ? undefined : tables.approvals.get(keyOf(workspaceId, approvalId))
        return approvalId !== null && !ApprovalMachine.is.used(approval?.state)
      })
      .map(({ campaignLeadId }) => `lead ${campaignLeadId}`),

  steps_are_sent_once: (tables) => {
    const seen = new Set<string>()
    return all(tables.messages).flatMap(({ campaignLeadId, messageId, state, stepIndex, workspaceId }) => {
      if (MessageMachine.is.unsent(state)) return []
      const step = keyOf(workspaceId, campaignLeadId, stepIndex)
      if (seen.has(step)) return [`message ${messageId}`]
      seen.add(step)
      return []
    })
  },

  variants_are_of_their_step: (tables) =>
    all(tables.messages).flatMap(({ campaignId, campaignLeadId, messageId, stepIndex, variant, workspaceId }) => {
      const campaign = tables.campaigns.get(keyOf(workspaceId, campaignId))
      const lead = tables.leads.get(keyOf(workspaceId, campaignLeadId))
      const others = campaign?.sequence[stepIndex]?.otherVariants
      const isOf = others === undefined ? variant === null : variant !== null && variant <= others.length
      const chosen = campaign?.chosenVariants?.[stepIndex] ?? null
      const isTheirs = chosen !== null || variant === (lead?.variants?.[stepIndex] ?? null)
      return isOf && isTheirs ? [] : [`message ${messageId}`]
    }),

  suppressed_are_left_alone: (tables) =>
    all(tables.messages).flatMap(({ campaignLeadId, claimedAtMillis, messageId, sentAtMillis, state, workspaceId }) => {
      const lead = tables.leads.get(keyOf(workspaceId, campaignLeadId))
      if (!MessageMachine.is.left(state) || lead === undefined) return []
      const since = suppressedAt(tables, workspaceId, lead.addressHash)
      const isLate = since < claimedAtMillis - CLOCK_TOLERANCE || since < (sentAtMillis ?? 0) - CLAIM_TOLERANCE
      return isLate ? [`message ${messageId}`] : []
    }),

  replied_are_suppressed: (tables) =>
    tables.leads
      .filter(
        ({ addressHash, state, workspaceId }) =>
          ANSWERED.has(state) && suppressedAt(tables, workspaceId, addressHash) === Infinity
      )
      .map(({ campaignLeadId }) => `lead ${campaignLeadId}`),

  contacts_are_remembered: (tables) =>
    all(tables.messages).flatMap(({ campaignId, campaignLeadId, messageId, sentAtMillis, state, workspaceId }) => {
      const lead = tables.leads.get(keyOf(workspaceId, campaignLeadId))
      if (!MessageMachine.is.left(state) || lead === undefined) return []
      const isKnown = tables.contacts
        .where("person", keyOf(workspaceId, lead.addressHash))
        .some((contact) => contact.campaignId === campaignId && contact.atMillis >= (sentAtMillis ?? 0))
      return isKnown ? [] : [`message ${messageId}`]
    }),

  ended_leads_are_not_due: (tables) =>
    tables.leads
      .filter(({ nextAtMillis, state }) => LeadMachine.is.ended(state) && nextAtMillis !== null)
      .map(({ campaignLeadId }) => `lead ${campaignLeadId}`),

  messages_are_from_bound_mailboxes: (tables) =>
    all(tables.messages).flatMap(({ campaignId, mailboxId, messageId, workspaceId }) =>
      tables.campaignMailboxes.get(keyOf(workspaceId, campaignId))?.has(mailboxId) === true
        ? []
        : [`message ${messageId}`]
    ),

  nothing_is_claimed_under_a_kill: (tables) =>
    all(tables.kills).flatMap(({ kill }) =>
      tables.messages
        .where("workspace", kill.workspaceId)
        .filter(
          ({ claimedAtMillis, state }) =>
            !MessageMachine.is.unsent(state) &&
            claimedAtMillis > kill.suspendedAtMillis + CLOCK_TOLERANCE &&
            claimedAtMillis < (kill.clearedAtMillis ?? Infinity) - CLOCK_TOLERANCE
        )
        .map(({ messageId }) => `message ${messageId}`)
    )
}

/** What is broken, by rule. */
export const breaches = (tables: Tables): ReadonlyArray<string> =>
  Object.entries(INVARIANTS).flatMap(([name, rule]) => rule(tables).map((breach) => `${name}: ${breach}`))
