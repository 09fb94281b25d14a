/** The outbound loop, as documented calls. */
import type { RecipientField } from "@outbound/domain/verbs/campaignFields.js"
import { randomBytes } from "node:crypto"
import { type Agent, pause } from "./Agent.js"
import type { Approver } from "./Approval.js"
import { Foreseen } from "./Foreseen.js"
import { cost, count, listed, say, step } from "./Progress.js"

const LEADS = 5
const REVEALED = 3
const DAILY_SENDS_MIN = 25
const DAILY_SENDS_MAX = 500
const OPERATION_POLLS_MAX = 120
const OPERATION_POLL_MILLIS = 1_000
const REPLIES_MILLIS_MAX = 120_000
const REPLY_POLL_MILLIS = 1_000
/** After this long without a reply, stop waiting. */
const QUIET_MILLIS = 12_000
const REPLY_PAGES_MAX = 100

export class Unfinished extends Foreseen {}

const PERSONAS = ["interested", "not_interested", "other", "out_of_office", "unsubscribe", "bounce"]

/** One new person per kind of reaction: people who opted out stay suppressed. */
const personas = (run: string): ReadonlyArray<RecipientField> =>
  PERSONAS.map((persona) => ({
    email: `${persona}+${run}@magic.test`,
    first_name: "Robin",
    company_name: "Magic"
  }))

const SEQUENCE = [
  {
    subject: "A question about {{company_name|your team}}",
    body: "Hi {{first_name|there}},\n\nhow do you find new customers at {{company_name|your company}} today?\n\nBest,\nAlex"
  },
  { body: "Hi {{first_name|there}}, does this find you at a better time?", wait_days: 3 }
]

export const introduce = async (agent: Agent) => {
  step("Check the key (GET /v1/me)")
  const { available, result: me } = await agent.get("/v1/me")
  say(`Key "${me.key.name}" in the ${me.workspace.kind} workspace "${me.workspace.name}", ${available} credits.`)
  const closed = me.verbs.filter((verb: { allowed: boolean }) => !verb.allowed)
  if (closed.length > 0) say(`Not allowed: ${closed.map(({ verb }: { verb: string }) => verb).join(", ")}.`)
  return me
}

/** Finds leads, reveals a few addresses and verifies them. */
export const prospect = async (agent: Agent): Promise<ReadonlyArray<RecipientField>> => {
  const search = {
    audience: "Heads of sales at software companies in Germany",
    titles: ["Sales"],
    locations: ["Germany"],
    limit: LEADS
  }
  step("Find leads (POST /v1/find_leads)")
  const plan = await agent.act("/v1/find_leads", { ...search, dry_run: true })
  say(`Dry run: at most ${plan.result.plan.credits_estimate} credits.`)
  const found = await agent.act("/v1/find_leads", search)
  const leads = found.result.leads
  listed(
    leads.map((lead: Record<string, string>) => `${lead["full_name"]}, ${lead["title"]}, ${lead["company_name"]}`),
    LEADS
  )
  cost(found.charged, found.available)

  step("Reveal work emails (POST /v1/enrich)")
  const revealed: Array<RecipientField> = []
  for (const lead of leads.slice(0, REVEALED)) {
    const person = { full_name: lead.full_name, company_domain: lead.company_domain }
    const { available, charged, result } = await agent.act("/v1/enrich", { person, want: ["work_email"] })
    say(`${lead.full_name}: ${result.outcome}${result.contact?.work_email ? ` ${result.contact.work_email}` : ""}`)
    cost(charged, available)
    if (result.contact?.work_email) {
      const [first_name = "", ...rest] = String(lead.full_name).split(" ")
      revealed.push({
        email: result.contact.work_email,
        first_name,
        last_name: rest.join(" "),
        company_name: lead.company_name ?? ""
      })
    }
  }

  step("Verify the emails (POST /v1/verify_email)")
  const deliverable: Array<RecipientField> = []
  for (const recipient of revealed) {
    const { available, charged, result } = await agent.act("/v1/verify_email", { email: recipient.email })
    say(`${recipient.email}: ${result.status}`)
    cost(charged, available)
    if (result.status === "valid" || result.status === "catch_all_valid") deliverable.push(recipient)
  }
  return deliverable
}

interface Operation {
  readonly status: string
  readonly finished_at: string | null
  readonly progress: { readonly done: number; readonly total: number }
}

/** Waits until long work has ended. */
export const operation = async (agent: Agent, operationId: string): Promise<Operation> => {
  for (let poll = 0; poll < OPERATION_POLLS_MAX; poll++) {
    const { result } = await agent.get<Operation>(`/v1/operations/${operationId}`)
    if (result.finished_at !== null) return result
    await pause(OPERATION_POLL_MILLIS)
  }
  throw new Unfinished("What was begun was not done in time.")
}

/** Buys mailboxes and waits until they are active. */
export const setUpSending = async (agent: Agent, approver: Approver, recipients: number): Promise<void> => {
  step("Buy sending capacity (POST /v1/setup_sending)")
  const request = {
    daily_sends: Math.min(Math.max(recipients, DAILY_SENDS_MIN), DAILY_SENDS_MAX),
    brand: `loop-${randomBytes(4).toString("hex")}`,
    identity: { first_name: "Alex", last_name: "Example" }
  }
  const asked = (await agent.act("/v1/setup_sending", request)).result
  const { quote } = asked
  say(
    `Quote: ${count(quote.domains, "domain", "domains")}, ${count(quote.mailboxes, "mailbox", "mailboxes")}, ` +
      `${quote.setup_credits} credits now and ${quote.upkeep_credits_per_month} per month.`
  )
  await approver.fund(quote.setup_credits, quote.upkeep_credits_per_month)
  const bought = (await approver.confirmed("/v1/setup_sending", request, asked)).result as unknown as {
    operation_id: string
    domains: ReadonlyArray<string>
  }
  say(`Bought ${bought.domains.join(", ")}.`)

  step("Wait for the mailboxes (GET /v1/operations/:id)")
  const { progress, status } = await operation(agent, bought.operation_id)
  say(`${status}, ${progress.done} of ${progress.total}`)
  const { available } = await agent.get("/v1/me")
  say(`Their first month was charged: ${quote.upkeep_credits_per_month} credits, ${available} left`)
  if (status !== "succeeded") throw new Unfinished(`Provisioning ended as ${status}.`)
}

/** Drafts the campaign and launches it once a human has approved. */
export const campaign = async (
  agent: Agent,
  approver: Approver,
  recipients: ReadonlyArray<RecipientField>,
  more: Readonly<Record<string, unknown>> = {}
): Promise<string> => {
  step("Draft a campaign (POST /v1/campaigns)")
  const draft = { name: `Loop of ${new Date().toISOString()}`, recipients, sequence: SEQUENCE, ...more }
  const drafted = (await agent.act("/v1/campaigns", draft)).result
  const { leads_accepted: accepted, leads_suppressed: suppressed } = drafted
  say(`${recipients.length} recipients: ${accepted} accepted, ${suppressed} left out.`)
  const reasons = Object.entries<number>(drafted.suppressed_reasons).filter(([, number]) => number > 0)
  listed(
    reasons.map(([reason, number]) => `${number} ${reason}`),
    reasons.length
  )
  if (accepted + suppressed !== recipients.length) {
    throw new Unfinished(`${recipients.length - accepted - suppressed} recipients are unaccounted for.`)
  }
  if (accepted === 0) throw new Unfinished("No recipient can be emailed.")

  step("Launch the campaign (POST /v1/launch_campaign)")
  const request = { campaign_id: drafted.campaign_id as string }
  const asked = (await agent.act("/v1/launch_campaign", request)).result
  const { preview } = asked
  say(
    `Preview: ${count(preview.leads_active, "lead", "leads")}, ${count(preview.mailboxes_attached, "mailbox", "mailboxes")}, ` +
      `at most ${preview.daily_send_limit} messages per day.`
  )
  const launched = await approver.confirmed("/v1/launch_campaign", request, asked)
  say(`Launched: ${JSON.stringify(launched.result["leads_active"])} leads are active.`)
  return request.campaign_id
}

interface ReplySummary {
  readonly reply_id: string
  readonly from_email: string
  readonly classification: string | null
  readonly snippet: string
}

const allReplies = async (agent: Agent, campaignId: string): Promise<ReadonlyArray<ReplySummary>> => {
  const replies: Array<ReplySummary> = []
  let cursor: string | null = null
  for (let page = 0; page < REPLY_PAGES_MAX; page++) {
    const query: Record<string, unknown> = {
      campaign_id: campaignId,
      limit: 200,
      ...(cursor === null ? {} : { cursor })
    }
    const { result } = await agent.act("/v1/get_replies", query)
    replies.push(...result.replies)
    cursor = result.next_cursor
    if (cursor === null) break
  }
  return replies
}

/** Waits for replies until each expected kind has arrived; if none is expected, until no more arrive. */
export const listen = async (
  agent: Agent,
  campaignId: string,
  expected: ReadonlyArray<string>,
  quietMillis = QUIET_MILLIS
): Promise<ReadonlyArray<ReplySummary>> => {
  step("Read replies (POST /v1/get_replies)")
  const until = Date.now() + REPLIES_MILLIS_MAX
  const seen = new Set<string>()
  let replies: ReadonlyArray<ReplySummary> = []
  const missing = () => expected.filter((kind) => !replies.some(({ classification }) => classification === kind))
  for (let lastNews = Date.now(); Date.now() < until && Date.now() - lastNews < quietMillis;) {
    replies = await allReplies(agent, campaignId)
    for (const reply of replies) {
      if (seen.has(reply.reply_id)) continue
      seen.add(reply.reply_id)
      lastNews = Date.now()
      say(`${(reply.classification ?? "not classified").padEnd(15)} ${reply.from_email}: ${reply.snippet.slice(0, 60)}`)
    }
    if (expected.length > 0 && missing().length === 0) break
    await pause(REPLY_POLL_MILLIS)
  }
  if (missing().length > 0) throw new Unfinished(`These replies did not arrive: ${missing().join(", ")}.`)
  return replies
}

/** Reads clear replies and sets their leads' interest status. */
export const follow = async (agent: Agent, replies: ReadonlyArray<ReplySummary>): Promise<void> => {
  const recorded = replies.filter(
    ({ classification }) => classification === "interested" || classification === "not_interested"
  )
  step("Read replies in full and set lead statuses (POST /v1/get_reply, /v1/set_lead_status)")
  if (recorded.length === 0) say("No reply was clearly interested or not interested.")
  for (const { classification, reply_id } of recorded) {
    const reply = (await agent.act("/v1/get_reply", { reply_id })).result
    say(`${reply.from_email} (untrusted text): ${String(reply.body_text ?? "").split("\n")[0]}`)
    const { campaign_lead_id } = reply.lead
    const status = (await agent.act("/v1/set_lead_status", { campaign_lead_id, status: classification })).result
    say(`  set to ${status.status}${status.suppression_applied ? ", suppressed permanently" : ""}`)
  }
}

/** Without a list: the people found, and one of each persona. */
export const defaultRecipients = (found: ReadonlyArray<RecipientField>): ReadonlyArray<RecipientField> => [
  ...found,
  ...personas(randomBytes(3).toString("hex"))
]

/** How the default recipients react: each persona is named for the kind of its reply. */
export const REACTIONS: ReadonlyArray<string> = PERSONAS
