/** Smartlead's interface over a vendor's world, for campaigns, people and messages. */
import type { MessagePart, VendorEvent, VendorStep } from "@outbound/domain/sources/ports/VendorScheduled.js"
import type { Answer, Received, SentJson } from "./Exchange.js"
import type { CampaignOfVendor, PersonOfVendor, VendorWorld } from "./VendorWorld.js"

const partsOf = (text: string): ReadonlyArray<MessagePart> =>
  text
    .split(/(\{\{[^{}]+\}\})/)
    .filter((part) => part !== "")
    .map((part) => (/^\{\{.+\}\}$/.test(part) ? { variable: part.slice(2, -2) } : part))

const STATUS = { draft: "DRAFTED", active: "ACTIVE", paused: "PAUSED" } as const
const MEMBER_STATUS = {
  active: "INPROGRESS",
  finished: "COMPLETED",
  replied: "COMPLETED",
  bounced: "BLOCKED",
  unsubscribed: "STOPPED"
} as const

const NOT_FOUND: Answer = { status: 404, json: { error: { code: "NOT_FOUND", message: "Not found" } } }
const OK: Answer = { json: { ok: true } }

const timeOf = (atMillis: number): string => new Date(atMillis).toISOString()

/** A schedule as it tells it: in JavaScript's own notation, under other names than it was set. */
const cronOf = ({ days_of_the_week, end_hour, start_hour, timezone }: SentJson): string =>
  `{ tz: '${timezone}', days: [ ${days_of_the_week.join(", ")} ], endHour: '${end_hour}', startHour: '${start_hour}' }`

export const smartleadOver = (world: VendorWorld): ((request: Received) => Answer) => {
  const paused = new Set<string>()
  const sequences = new Map<string, ReadonlyArray<unknown>>()
  const assigned = new Map<string, Set<number>>()
  const settings = new Map<string, SentJson>()

  const paged = <A>(all: ReadonlyArray<A>, query: URLSearchParams): Answer => {
    const offset = Number(query.get("offset") ?? 0)
    return { json: { total: all.length, data: all.slice(offset, offset + Number(query.get("limit") ?? 100)) } }
  }

  const memberOf = (one: PersonOfVendor) => ({
    campaign_lead_map_id: `${one.ref}0`,
    status: paused.has(one.ref) ? "PAUSED" : MEMBER_STATUS[one.status],
    lead: {
      id: Number(one.ref),
      email: one.email,
      is_unsubscribed: one.status === "unsubscribed",
      custom_fields: one.person.bodyValues
    }
  })

  const eventsOf = <Kind extends VendorEvent["kind"]>(campaign: CampaignOfVendor, kind: Kind, ref?: string) =>
    campaign.events.filter(
      (event): event is Extract<VendorEvent, { kind: Kind }> =>
        event.kind === kind && (ref === undefined || event.person.ref === ref)
    )

  const historyOf = (campaign: CampaignOfVendor, one: PersonOfVendor) => [
    ...eventsOf(campaign, "sent", one.ref).map((event) => ({
      type: "SENT",
      stats_id: event.eventId,
      message_id: `<${event.eventId}@sent.test>`,
      time: timeOf(event.atMillis),
      email_body: "<div>Hello</div>",
      subject: "Hello",
      email_seq_number: String((event.stepIndex ?? 0) + 1),
      from: event.mailbox,
      to: one.email
    })),
    ...eventsOf(campaign, "reply", one.ref).map((event) => ({
      type: "REPLY",
      stats_id: eventsOf(campaign, "sent", one.ref)[0]?.eventId ?? "none",
      message_id: `<${event.messageId}>`,
      time: timeOf(event.atMillis),
      email_body: `<div>${event.text}</div>`,
      subject: event.subject,
      from: `Pat <${event.fromEmail}>`,
      to: event.mailbox
    })),
    ...world.answered
      .filter(({ email }) => email === one.email)
      .map(({ atMillis, text }) => ({
        type: "SENT",
        message_id: "<manual@sent.test>",
        time: timeOf(atMillis),
        email_body: text,
        email_seq_number: null
      }))
  ]

  const statistics = (campaign: CampaignOfVendor, query: URLSearchParams): Answer => {
    const since = query.get("sent_time_start_date")
    const rows = eventsOf(campaign, "sent").map((event) => {
      const is = (kind: "bounced" | "unsubscribed") => eventsOf(campaign, kind, event.person.ref ?? "").length > 0
      return {
        stats_id: event.eventId,
        lead_email: event.person.email,
        sequence_number: (event.stepIndex ?? 0) + 1,
        sent_time: timeOf(event.atMillis),
        email_message: "<div>Hello</div>",
        is_bounced: is("bounced"),
        is_unsubscribed: is("unsubscribed")
      }
    })
    const wanted = rows.filter(({ is_bounced, sent_time }) =>
      query.get("email_status") === "bounced" ? is_bounced : since === null || sent_time >= since
    )
    return paged(wanted, query)
  }

  const setSequences = (campaign: CampaignOfVendor, body: SentJson): Answer => {
    const given: ReadonlyArray<SentJson> = body.sequences
    sequences.set(
      campaign.ref,
      given.map((one, index) => ({ id: index + 1, ...one }))
    )
    const steps = given.map((one): VendorStep => ({
      subject: one.subject === "" ? null : partsOf(one.subject),
      body: partsOf(one.email_body),
      waitDays: one.seq_delay_details.delay_in_days
    }))
    campaign.terms = { ...campaign.terms, steps }
    return OK
  }

  const accounts = () =>
    world.mailboxes.map(({ address, displayName, isActive }, index) => ({
      id: index + 1,
      from_email: address,
      from_name: displayName,
      is_smtp_success: isActive,
      is_imap_success: true
    }))

  const senders = (campaign: CampaignOfVendor, { body, method }: Received): Answer => {
    const ids = assigned.get(campaign.ref) ?? new Set()
    assigned.set(campaign.ref, ids)
    if (method === "POST") for (const id of body.email_account_ids) ids.add(id)
    if (method === "DELETE") for (const id of body.email_account_ids) ids.delete(id)
    const those = accounts().filter(({ id }) => ids.has(id))
    campaign.terms = { ...campaign.terms, mailboxes: those.map(({ from_email }) => from_email) }
    return { json: those }
  }

  const push = (campaign: CampaignOfVendor, body: SentJson): Answer => {
    const added: Record<string, string> = {}
    const skipped: Array<{ email: string; reason: string }> = []
    for (const lead of body.lead_list) {
      const values = lead.custom_fields
      const taken = world.take(campaign, {
        campaignLeadId: "",
        email: lead.email,
        firstName: lead.first_name ?? null,
        lastName: lead.last_name ?? null,
        companyName: lead.company_name ?? null,
        subjectValues: values,
        bodyValues: values
      })
      if (typeof taken === "object") added[lead.email] = taken.ref
      else skipped.push({ email: lead.email, reason: "duplicate" })
    }
    if (Object.keys(added).length === 0) {
      return { status: 409, json: { error: "duplicate", code: "CONFLICT", skipped_leads: skipped } }
    }
    return {
      json: {
        ok: true,
        upload_count: Object.keys(added).length,
        total_leads: body.lead_list.length,
        duplicate_count: skipped.length,
        emailToLeadIdMap: { newlyAddedLeads: added, existingLeads: {} }
      }
    }
  }

  const leads = (campaign: CampaignOfVendor, request: Received, id: string, action: string | undefined): Answer => {
    const { body, method, query } = request
    if (id === "") return method === "POST" ? push(campaign, body) : paged(campaign.people.map(memberOf), query)
    const one = campaign.people.find(({ ref }) => ref === id)
    if (one === undefined) return NOT_FOUND
    if (method === "DELETE") world.remove(campaign, id)
    if (action === "pause") paused.add(id)
    if (method === "POST" && action === undefined) {
      const values = body.custom_fields
      one.person = { ...one.person, subjectValues: values, bodyValues: values }
    }
    if (action === "category") one.interest = String(body.category_id)
    return action === "message-history" ? { json: { history: historyOf(campaign, one) } } : OK
  }

  const reply = (campaign: CampaignOfVendor, { body }: Received): Answer => {
    const answered = eventsOf(campaign, "reply").find(({ messageId }) => `<${messageId}>` === body.reply_message_id)
    if (answered === undefined || body.email_stats_id === undefined) return { json: { success: false, error: "none" } }
    const { email } = answered.person
    world.answered.push({ to: body.to_email, email, subject: "", text: body.email_body, atMillis: answered.atMillis })
    return OK
  }

  const campaigns = (
    request: Received,
    id: string,
    action: string | undefined,
    rest: ReadonlyArray<string>
  ): Answer => {
    const { body, method, query } = request
    if (id === "") return { json: world.campaigns.map(({ ref, terms }) => ({ id: Number(ref), name: terms.title })) }
    if (id === "create") {
      const { ref, terms } = world.create({
        title: body.name,
        marker: "",
        steps: [],
        schedule: { timezone: "", days: [], startHour: 0, endHour: 24 },
        mailboxes: [],
        dailySends: 0,
        mailboxDailySends: 0
      })
      return { json: { ok: true, id: Number(ref), name: terms.title } }
    }
    const campaign = world.campaign(id)
    if (campaign === undefined) return NOT_FOUND
    switch (action) {
      case "statistics":
        return statistics(campaign, query)
      case "sequences":
        return method === "POST" ? setSequences(campaign, body) : { json: sequences.get(id) ?? [] }
      case "settings":
        settings.set(id, { ...settings.get(id), ...body })
        return OK
      case "schedule":
        settings.set(id, { ...settings.get(id), scheduler_cron_value: cronOf(body) })
        return OK
      case "status":
        campaign.status = body.status === "START" ? "active" : "paused"
        return OK
      case "email-accounts":
        return senders(campaign, request)
      case "leads":
        return leads(campaign, request, rest[0] ?? "", rest[1])
      case "reply-email-thread":
        return reply(campaign, request)
      case undefined:
        return {
          json: {
            ...settings.get(id),
            id,
            status: world.standing(campaign) === "ended" ? "COMPLETED" : STATUS[campaign.status]
          }
        }
      default:
        return OK
    }
  }

  const byEmail = (email: string): Answer => {
    const found = world.campaigns.flatMap((campaign) => world.look(campaign, [email]).map((one) => ({ campaign, one })))
    const [first] = found
    if (first === undefined) return { json: {} }
    const inThem = found.map(({ campaign: { ref } }) => ({ campaign_id: Number(ref) }))
    return { json: { id: first.one.ref, email, lead_campaign_data: inThem } }
  }

  const answers = ({ body }: Received): Answer => {
    const ref = String(body.filters.campaignId[0])
    const campaign = world.campaign(ref)
    const rows = (campaign?.people ?? []).flatMap((one) => {
      const last = campaign === undefined ? undefined : eventsOf(campaign, "reply", one.ref).at(-1)
      if (last === undefined) return []
      const lead = { email_lead_id: one.ref, email_campaign_id: Number(ref), lead_email: one.email }
      return [{ ...lead, last_reply_time: timeOf(last.atMillis) }]
    })
    const latest = rows.toSorted((a, b) => (a.last_reply_time < b.last_reply_time ? 1 : -1))
    return { json: { ok: true, data: latest.slice(body.offset, body.offset + body.limit) } }
  }

  return (request) => {
    const [, , , area, first = "", second, ...rest] = request.path.split("/")
    switch (area) {
      case "campaigns":
        return campaigns(request, first, second, rest)
      case "leads":
        if (first === "add-domain-block-list") {
          for (const value of request.body.domain_block_list) world.blocked.add(value)
          return OK
        }
        if (first === "get-domain-block-list") {
          const wanted = request.query.get("filter_email_with_domain")
          return { json: [...world.blocked].filter((one) => one === wanted).map((one) => ({ email_or_domain: one })) }
        }
        return byEmail(request.query.get("email") ?? "")
      case "master-inbox":
        return answers(request)
      case "email-accounts":
        return request.method === "GET" ? { json: paged(accounts(), request.query).json } : OK
      default:
        return NOT_FOUND
    }
  }
}
