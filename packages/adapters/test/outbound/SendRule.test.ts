import { assert, it } from "@effect/vitest"
import { ApprovalMachine, type ApprovalState } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { CampaignMachine, type CampaignState } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine, type LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import {
  type MailboxKind,
  MailboxMachine,
  type MailboxState
} from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { MessageMachine, type MessageState } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { decideSend, removalOf, type SendFacts } from "@outbound/domain/outreach/sending/sendRule.js"
import { DEFAULT_CAPS, type Overlap, OVERLAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { addressHashOf, DAY, freshId, givenWorkspace, HOUR, NOON, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { claimAt, givenLaunched, givenMailboxes, MIDNIGHT } from "@outbound/testkit/contracts/outboundFixtures.js"
import { sendsElsewhere } from "@outbound/testkit/service/sendsElsewhere.js"
import { propertyIn } from "@outbound/testkit/property.js"
import { Array as Arr, Effect, Option } from "effect"
import * as FC from "fast-check"
import { SqlClient } from "../../src/postgres/Sql.js"
import { layer } from "./stores.js"

const EMAIL = "ann@mail.example.com"
const DOMAINS = { domain: "mail.example.com", "domain above": "example.com", "domain beside": "ample.com" } as const
const COLLEAGUE = "bob@example.com"
const COMPANY = "example.com"
/** Who else wrote, and from where. */
const WRITERS: Readonly<Record<string, string>> = {
  wrote: COLLEAGUE,
  "wrote beneath": "cleo@eu.example.com",
  "answered us": "bob@home.example",
  "wrote beside": "bob@anexample.com"
}
const WRITTEN: ReadonlyArray<string> = ["wrote", "wrote beneath", "answered us"]
const STEPS = 2
const SINCE = NOON - 30 * DAY

/** What the workspace's CRM says of the person, whether it keeps such people out, and when it was read. */
const CRMS = {
  none: null,
  silent: { value: "else.example", standing: "customer", keeps: true, readMillis: NOON - HOUR },
  customer: { value: EMAIL, standing: "customer", keeps: true, readMillis: NOON - HOUR },
  "customer who may be written to": { value: EMAIL, standing: "customer", keeps: false, readMillis: NOON - HOUR },
  "their company's deal": { value: COMPANY, standing: "open_deal", keeps: true, readMillis: NOON - HOUR },
  "a company beside": { value: "ample.com", standing: "open_deal", keeps: true, readMillis: NOON - HOUR },
  "somebody else's": { value: EMAIL, standing: "owned", keeps: true, readMillis: NOON - HOUR },
  ours: { value: EMAIL, standing: "owned", keeps: true, readMillis: NOON - HOUR, isOurs: true },
  refusing: { value: EMAIL, standing: "opted_out", keeps: false, readMillis: NOON - HOUR },
  gone: { value: EMAIL, standing: "bounced", keeps: false, readMillis: NOON - HOUR },
  "read just in time": { value: "else.example", standing: "customer", keeps: true, readMillis: NOON - DAY + 1 },
  "read too long ago": { value: "else.example", standing: "customer", keeps: true, readMillis: NOON - DAY },
  "never read": { value: "else.example", standing: "customer", keeps: true, readMillis: null },
  "never read, and chosen for nobody": { value: EMAIL, standing: "customer", keeps: false, readMillis: null }
} as const

const STANDING_OF = {
  opted_out: "crm_opted_out",
  bounced: "crm_bounced",
  customer: "crm_customer",
  open_deal: "crm_open_deal",
  owned: "crm_owned"
} as const

const crmFacts = (name: keyof typeof CRMS): Pick<SendFacts, "isCrmUnread"> & Pick<SendFacts["bars"], "keptOut"> => {
  const crm = CRMS[name]
  if (crm === null) return { keptOut: null, isCrmUnread: false }
  const isNo = crm.standing === "opted_out" || crm.standing === "bounced"
  const isTheirs = crm.value === EMAIL || crm.value === COMPANY
  return {
    keptOut: (crm.keeps || isNo) && isTheirs && !("isOurs" in crm) ? STANDING_OF[crm.standing] : null,
    isCrmUnread: (crm.readMillis ?? 0) <= NOON - DAY
  }
}

interface Case {
  readonly kind: MailboxKind
  readonly leadState: LeadState
  readonly stepsSent: number
  readonly nextAtMillis: number | null
  readonly approval: ApprovalState | null
  readonly campaign: CampaignState
  readonly window: SendFacts["window"]
  /** The window of the lead's own hours; null: it has none of its own. */
  readonly ownWindow: SendFacts["window"] | "unset"
  readonly isSuspended: boolean
  readonly mailbox: MailboxState
  readonly isBound: boolean
  readonly rests: number | null
  readonly message: { readonly state: MessageState; readonly stepIndex: number } | null
  readonly elsewhere: { readonly state: MessageState; readonly atMillis: number } | null
  readonly suppressed: "reply" | "owner_import" | "domain" | "domain above" | "domain beside" | null
  readonly contactedMillis: number | null
  readonly crm: keyof typeof CRMS
  readonly overlap: Overlap
  readonly wrote: "now" | "answer" | "later" | "applied" | null
  /** Whether the campaign stops for a company, and whether somebody of the person's answered. */
  readonly stops: "no" | "nobody" | "answered" | "wrote" | "wrote beneath" | "answered us" | "wrote beside"
  /** How many messages a company may get on a day, and how many the person's got today, and yesterday. */
  readonly companyDay: { readonly max: number | null; readonly today: number; readonly state: MessageState }
  readonly caps: { readonly workspace: number; readonly mailbox: number }
  readonly sentToday: number
}

/** All that a fact can be, first what hinders nothing. */
const VALUES: { readonly [Fact in keyof Case]: ReadonlyArray<Case[Fact]> } = {
  kind: ["purchased", "own"],
  leadState: ["ready", ...LeadMachine.states],
  stepsSent: [0, 1, STEPS],
  nextAtMillis: [NOON - HOUR, NOON, NOON + 1, null],
  approval: ["used", ...ApprovalMachine.states, null],
  campaign: ["active", ...CampaignMachine.states],
  window: [
    null,
    { opensAtMillis: NOON, closesAtMillis: NOON + HOUR },
    { opensAtMillis: NOON - HOUR, closesAtMillis: NOON },
    { opensAtMillis: NOON + 1, closesAtMillis: NOON + HOUR }
  ],
  ownWindow: [
    null,
    "unset",
    { opensAtMillis: NOON, closesAtMillis: NOON + HOUR },
    { opensAtMillis: NOON - HOUR, closesAtMillis: NOON },
    { opensAtMillis: NOON + 1, closesAtMillis: NOON + HOUR }
  ],
  isSuspended: [false, true],
  mailbox: ["active", ...MailboxMachine.states],
  isBound: [true, false],
  rests: [null, NOON, NOON + 1],
  message: [null, ...MessageMachine.states.flatMap((state) => [0, 1].map((stepIndex) => ({ state, stepIndex })))],
  elsewhere: [
    null,
    ...MessageMachine.states.flatMap((state) => [SINCE, SINCE - 1].map((atMillis) => ({ state, atMillis })))
  ],
  suppressed: [null, "reply", "owner_import", "domain", "domain above", "domain beside"],
  contactedMillis: [null, SINCE, SINCE - 1],
  crm: Object.keys(CRMS) as ReadonlyArray<keyof typeof CRMS>,
  overlap: OVERLAPS,
  wrote: [null, "now", "answer", "later", "applied"],
  stops: ["no", "nobody", "answered", "wrote", "wrote beneath", "answered us", "wrote beside"],
  companyDay: [
    { max: null, today: 0, state: "sent" },
    ...MessageMachine.states.flatMap((state) =>
      [
        { max: null, today: 1 },
        { max: 1, today: 0 },
        { max: 1, today: 1 },
        { max: 2, today: 1 }
      ].map((one) => ({ ...one, state }))
    )
  ],
  caps: [
    { workspace: 3, mailbox: 3 },
    { workspace: 1, mailbox: 3 },
    { workspace: 3, mailbox: 1 }
  ],
  sentToday: [0, 1, 2, 3]
}

const FACTS = Object.keys(VALUES) as ReadonlyArray<keyof Case>

/** The case in which nothing hinders, with some facts changed. */
const caseOf = (changed: Partial<Record<keyof Case, number>>): Case =>
  Object.fromEntries(
    FACTS.map((fact) => [fact, VALUES[fact][(changed[fact] ?? 0) % VALUES[fact].length]])
  ) as unknown as Case

/** Every value of every fact alone, for both kinds of mailboxes; of both windows, all together. */
const ONE_BY_ONE = [0, 1].flatMap((kind) => [
  ...FACTS.flatMap((fact) => VALUES[fact].map((_, value) => caseOf({ kind, [fact]: value }))),
  ...VALUES.window.flatMap((_, window) => VALUES.ownWindow.map((__, ownWindow) => caseOf({ kind, window, ownWindow })))
])

/** Some facts at once. */
const anyCase = FC.tuple(
  FC.nat(1),
  FC.subarray([...FACTS], { minLength: 2, maxLength: 4 }),
  FC.infiniteStream(FC.nat(100))
).map(([kind, facts, values]) => {
  const changed = facts.map((fact) => [fact, values.next().value ?? 0])
  return caseOf({ kind, ...Object.fromEntries(changed) })
})

const windowOf = ({ ownWindow, window }: Case): SendFacts["window"] => {
  if (window === null || ownWindow === null) return window
  return ownWindow === "unset" ? { opensAtMillis: NOON, closesAtMillis: NOON } : ownWindow
}

const factsOf = (given: Case): SendFacts => {
  const { caps, contactedMillis, elsewhere, message, suppressed, wrote } = given
  const isOfDomain = suppressed === "domain" || suppressed === "domain above"
  const source = suppressed === "reply" || suppressed === "owner_import" ? suppressed : null
  const { isCrmUnread, keptOut } = crmFacts(given.crm)
  const { max, state, today } = given.companyDay
  const counted = MessageMachine.is.unsent(state) ? 0 : today
  const isCapped = contactedMillis !== null && contactedMillis >= SINCE
  const hasWritten = wrote === "now" || (wrote === "answer" && message !== null)
  return {
    nowMillis: NOON,
    lead: { state: given.leadState, stepsSent: given.stepsSent, nextAtMillis: given.nextAtMillis },
    steps: STEPS,
    approval: given.approval,
    campaign: given.campaign,
    window: windowOf(given),
    isSuspended: given.isSuspended,
    mailbox: { state: given.mailbox, restsUntilMillis: given.kind === "own" ? given.rests : null },
    isBound: given.isBound,
    messages: message === null ? [] : [message],
    elsewhere: elsewhere !== null && elsewhere.atMillis >= SINCE ? [elsewhere] : [],
    bars: { sources: source !== null ? [source] : isOfDomain ? ["added"] : [], isContacted: isCapped, keptOut },
    isCrmUnread,
    overlap: given.overlap,
    company:
      given.stops === "no" && max === null
        ? null
        : {
            isStopped: given.stops === "answered",
            hasWritten: given.stops !== "no" && (hasWritten || WRITTEN.includes(given.stops)),
            left: max === null ? null : max - counted
          },
    hasWritten,
    left: {
      workspace: caps.workspace - given.sentToday - counted,
      mailbox: caps.mailbox - given.sentToday - counted,
      domain: null,
      receiver: null
    }
  }
}

/** Writes the facts of a case as they are, whatever has led to them. */
const write = (given: Case) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const caps = { ...DEFAULT_CAPS, dailySends: given.caps.workspace, mailboxDailySends: given.caps.mailbox }
    const { workspaceId } = yield* givenWorkspace({ caps })
    const own = { kind: "own", operationId: null, upkeepPaidUntilMillis: null, ...sendsElsewhere(NOON) } as const
    const [mailbox] = yield* givenMailboxes(workspaceId, 1, given.kind === "own" ? own : {})
    const { mailboxId } = mailbox!
    const { max, state: dayState, today } = given.companyDay
    const rules = { stopForCompany: given.stops !== "no", maxPerCompanyPerDay: max }
    const { approval, campaign, leads } = yield* givenLaunched(workspaceId, [mailbox!], [EMAIL, COLLEAGUE], {
      campaign: rules
    })
    const { campaignLeadId } = leads[0]!
    const colleague = leads[1]!.campaignLeadId
    const other = yield* givenLaunched(workspaceId, [mailbox!], [EMAIL, "filler@example.com"])
    const at = (millis: number | null) => (millis === null ? null : new Date(millis))
    const message = (of: {
      readonly campaignId: string
      readonly campaignLeadId: string
      readonly email: string
      readonly company?: string
      readonly stepIndex: number
      readonly state: string
      readonly atMillis: number
    }) => {
      const messageId = freshId()
      return sql`
        INSERT INTO messages (
          workspace_id, message_id, campaign_id, campaign_lead_id, mailbox_id, address_hash, company, step_index,
          state, claimed_at, sent_at
        ) VALUES (
          ${workspaceId}, ${messageId}, ${of.campaignId}, ${of.campaignLeadId}, ${mailboxId},
          ${addressHashOf(workspaceId, of.email)}, ${of.company ?? null}, ${of.stepIndex}, ${of.state}, ${at(of.atMillis)},
          ${of.state === "sent" ? at(of.atMillis) : null}
        )
      `.pipe(Effect.as(messageId))
    }

    const state = given.mailbox
    yield* sql`
      UPDATE mailboxes SET state = ${state}, pause_reason = ${state === "paused" ? "owner" : null},
        rests_until = ${given.kind === "own" ? at(given.rests) : null}
      WHERE workspace_id = ${workspaceId}
    `
    yield* sql`UPDATE campaigns SET state = 'completed' WHERE campaign_id = ${other.campaign.campaignId}`
    yield* sql`
      UPDATE campaigns SET state = ${given.campaign}, pause_reason = ${given.campaign === "paused" ? "owner" : null},
        window_opens_at = ${at(given.window?.opensAtMillis ?? null)},
        window_closes_at = ${at(given.window?.closesAtMillis ?? null)}
      WHERE campaign_id = ${campaign.campaignId}
    `
    yield* sql`
      UPDATE campaign_leads SET state = ${given.leadState}, steps_sent = ${given.stepsSent},
        next_at = ${at(given.nextAtMillis)}, approval_id = ${given.approval === null ? null : approval.approvalId}
      WHERE workspace_id = ${workspaceId} AND campaign_lead_id = ${campaignLeadId}
    `
    yield* sql`UPDATE campaign_leads SET next_at = NULL WHERE campaign_lead_id = ${colleague}`
    const { ownWindow } = given
    if (ownWindow !== null) {
      yield* sql`UPDATE campaign_leads SET hours = 'Asia/Tokyo' WHERE campaign_lead_id = ${campaignLeadId}`
    }
    if (ownWindow !== null && ownWindow !== "unset") {
      yield* sql`
        INSERT INTO campaign_windows (workspace_id, campaign_id, hours, opens_at, closes_at)
        VALUES (
          ${workspaceId}, ${campaign.campaignId}, 'Asia/Tokyo', ${at(ownWindow.opensAtMillis)},
          ${at(ownWindow.closesAtMillis)}
        )
      `
    }
    yield* sql`
      UPDATE approvals SET state = ${given.approval ?? "used"},
        used_by_idempotency_key = ${given.approval === null || given.approval === "used" ? "launch" : null}
      WHERE workspace_id = ${workspaceId} AND approval_id = ${approval.approvalId}
    `
    if (!given.isBound) {
      yield* sql`
        DELETE FROM campaign_mailboxes
        WHERE workspace_id = ${workspaceId} AND campaign_id = ${campaign.campaignId}
      `
    }
    if (given.isSuspended) {
      yield* sql`
        UPDATE workspace_sending SET suspended_at = ${at(NOON)}, suspended_reason = 'stop'
        WHERE workspace_id = ${workspaceId}
      `
    }
    const { campaignId } = campaign
    // Before today, so that it counts for no cap.
    const messageId =
      given.message === null
        ? freshId()
        : yield* message({
            campaignId,
            campaignLeadId,
            email: EMAIL,
            ...(rules.stopForCompany || max !== null ? { company: COMPANY } : {}),
            ...given.message,
            atMillis: MIDNIGHT - HOUR
          })
    const toColleague = { campaignId, campaignLeadId: colleague, email: COLLEAGUE, company: COMPANY }
    if (today > 0) yield* message({ ...toColleague, stepIndex: 0, state: dayState, atMillis: MIDNIGHT })
    const yesterday = { stepIndex: 1, state: "sent", atMillis: MIDNIGHT - 1 }
    const answered = yield* message({ ...toColleague, ...yesterday })
    if (given.stops === "answered") {
      yield* sql`
        INSERT INTO stopped_companies (workspace_id, campaign_id, company, stopped_at)
        VALUES (${workspaceId}, ${campaignId}, ${COMPANY}, ${at(NOON)})
      `
    }
    const writer = WRITERS[given.stops]
    if (writer !== undefined) {
      yield* sql`
        INSERT INTO inbound_events (
          workspace_id, provider, provider_event_id, received_at, from_email, answers, content
        ) VALUES (
          ${workspaceId}, 'sandbox', ${freshId()}, ${at(NOON)}, ${writer},
          ${given.stops === "answered us" ? answered : null}, '{}'::json
        )
      `
    }
    const [theirs, filler] = other.leads
    if (given.elsewhere !== null) {
      const of = { campaignId: other.campaign.campaignId, campaignLeadId: theirs!.campaignLeadId, email: EMAIL }
      yield* message({ ...of, ...given.elsewhere, stepIndex: 0 })
    }
    for (let stepIndex = 0; stepIndex < given.sentToday; stepIndex += 1) {
      const of = { campaignId: other.campaign.campaignId, campaignLeadId: filler!.campaignLeadId, email: "filler" }
      yield* message({ ...of, stepIndex, state: "sent", atMillis: MIDNIGHT })
    }
    const addressHash = addressHashOf(workspaceId, EMAIL)
    if (given.suppressed !== null && given.suppressed in DOMAINS) {
      yield* sql`
        INSERT INTO suppressed_domains (workspace_id, domain, suppressed_at)
        VALUES (${workspaceId}, ${DOMAINS[given.suppressed as keyof typeof DOMAINS]}, ${at(NOON)})
      `
    } else if (given.suppressed !== null) {
      yield* sql`
        INSERT INTO suppressions (workspace_id, address_hash, source, suppressed_at)
        VALUES (${workspaceId}, ${addressHash}, ${given.suppressed}, ${at(NOON)})
      `
    }
    const crm = CRMS[given.crm]
    if (crm !== null) {
      const { keeps, readMillis, standing, value } = crm
      yield* sql`
        INSERT INTO crm_connections (
          workspace_id, connection_id, vendor, sealed_secret, last4, added_by, added_at, keeps_customers,
          keeps_open_deals, keeps_owned, writes_replies, writes_meetings, creates_contacts, generation, read_at,
          failures, pause_millis
        ) VALUES (
          ${workspaceId}, ${freshId()}, 'a_crm', 'sealed', 'last', 'owner@corp.example', ${at(NOON)},
          ${keeps && standing === "customer"}, ${keeps && standing === "open_deal"}, ${keeps && standing === "owned"},
          true, true, true, 1, ${at(readMillis)}, 0, 0
        )
      `
      yield* sql`
        INSERT INTO crm_marks (workspace_id, value, standing, ref, owner_ref, generation)
        VALUES (${workspaceId}, ${value === EMAIL ? addressHash : value}, ${standing}, 'person:1', '7', 1)
      `
      const userId = freshId()
      yield* sql`
        INSERT INTO crm_owners (workspace_id, owner_ref, name, user_id)
        VALUES (${workspaceId}, '7', 'Olga', ${userId})
      `
      if ("isOurs" in crm) {
        yield* sql`INSERT INTO users (user_id, email, created_at) VALUES (${userId}, ${userId}, ${at(NOON)})`
        yield* sql`
          INSERT INTO memberships (user_id, workspace_id, role, created_at)
          VALUES (${userId}, ${workspaceId}, 'member', ${at(NOON)})
        `
      }
    }
    yield* sql`UPDATE workspaces SET overlap = ${given.overlap} WHERE workspace_id = ${workspaceId}`
    if (given.contactedMillis !== null) {
      yield* sql`
        INSERT INTO contact_history (workspace_id, address_hash, campaign_id, last_contacted_at)
        VALUES (${workspaceId}, ${addressHash}, ${other.campaign.campaignId}, ${at(given.contactedMillis)})
      `
    }
    if (given.wrote !== null) {
      yield* sql`
        INSERT INTO inbound_events (
          workspace_id, provider, provider_event_id, received_at, from_email, answers, content
        ) VALUES (
          ${workspaceId}, 'sandbox', ${freshId()}, ${at(given.wrote === "later" ? NOON + 1 : NOON)},
          ${given.wrote === "answer" ? "someone@else.example" : EMAIL}, ${given.wrote === "answer" ? messageId : null},
          ${given.wrote === "applied" ? null : "{}"}::json
        )
      `
    }
    return { given, workspaceId, mailboxId }
  })

type Written = Effect.Success<ReturnType<typeof write>>

/** Whom a look at an own mailbox names, and whom a claim for the purchased ones takes. */
const sentBy = (written: ReadonlyArray<Written>) =>
  Effect.gen(function* () {
    const sending = yield* SendingStore
    const found = new Set((yield* claimAt(NOON, 1_000)).map(({ message }) => message.workspaceId))
    for (const { given, mailboxId, workspaceId } of written) {
      if (given.kind !== "own") continue
      const options = { workspaceId, mailboxId, nowMillis: NOON, dayStartMillis: MIDNIGHT }
      const next = yield* sending.nextOfOwn({ ...options, contactedSinceMillis: SINCE })
      if (Option.isSome(next)) found.add(workspaceId)
    }
    // No later run finds them due.
    yield* (yield* SqlClient)`UPDATE campaign_leads SET next_at = NULL`
    return found
  })

/** At once, each in a workspace of its own: fewer than one claim takes turns among. */
const AT_ONCE = 60

const check = (cases: ReadonlyArray<Case>) =>
  Effect.gen(function* () {
    const sending = yield* SendingStore
    const { atomically } = yield* UnitOfWork
    const written = yield* Effect.forEach(cases, write, { concurrency: 4 })
    const removed = yield* atomically(sending.lockForbiddenDue(NOON, SINCE, 10_000))
    const reasonIn = new Map(removed.map(({ lead, reason }) => [lead.workspaceId, reason]))
    const found = yield* sentBy(written)
    for (const { given, workspaceId } of written) {
      const decision = decideSend(factsOf(given))
      assert.strictEqual(found.has(workspaceId), decision.may === "send", JSON.stringify({ given, decision }))
      const reason = removalOf(factsOf(given))
      assert.strictEqual(reasonIn.get(workspaceId) ?? null, reason, JSON.stringify({ given, reason }))
    }
  })

it.layer(layer, SUITE)("the rule of sending, in SQL", (it) => {
  it.effect("claims and takes out as the domain decides for every value of every fact", () =>
    Effect.forEach(Arr.chunksOf(ONE_BY_ONE, AT_ONCE), check, { discard: true })
  )

  propertyIn(it)(
    "claims and takes out as the domain decides for several facts at once",
    [FC.array(anyCase, { minLength: AT_ONCE, maxLength: AT_ONCE })],
    ([cases]) => check(cases),
    { fastCheck: { numRuns: 2, endOnFailure: true } }
  )
})
