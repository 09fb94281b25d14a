/** Instantly's interface (v2) over a vendor's world, for campaigns, people and messages. */
import type { MessagePart, VendorTerms } from "@outbound/domain/sources/ports/VendorScheduled.js"
import type { Answer, Received, SentJson } from "./Exchange.js"
import type { CampaignOfVendor, PersonOfVendor, VendorWorld } from "./VendorWorld.js"

export const instantlyName = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`

const PAGE = 2

const partsOf = (text: string): ReadonlyArray<MessagePart> =>
  text
    .split(/(\{\{[^{}]+\}\})/)
    .filter((part) => part !== "")
    .map((part) => (/^\{\{.+\}\}$/.test(part) ? { variable: part.slice(2, -2) } : part))

const termsOf = (body: SentJson): VendorTerms => {
  const name = String(body.name)
  const [schedule] = body.campaign_schedule.schedules
  const steps: ReadonlyArray<SentJson> = body.sequences[0].steps
  return {
    title: name,
    marker: /\[([^[\]]+)\]$/.exec(name)?.[1] ?? "",
    steps: steps.map((step, index) => ({
      subject: step.variants[0].subject === "" ? null : partsOf(step.variants[0].subject),
      body: partsOf(step.variants[0].body),
      waitDays: index === 0 ? 0 : steps[index - 1].delay
    })),
    schedule: { timezone: schedule.timezone, days: [], startHour: 0, endHour: 24 },
    mailboxes: body.email_list ?? [],
    dailySends: body.daily_limit ?? 0,
    mailboxDailySends: 0
  }
}

interface MailThere extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly timestamp_created: string
  readonly lead: string
  readonly ue_type: number
}

const STATUS = { draft: 0, active: 1, paused: 2 } as const
const PERSON_STATUS = { active: 1, finished: 3, replied: 3, bounced: -1, unsubscribed: -2 } as const

const pagedBy = <A>(idOf: (one: A) => string, all: ReadonlyArray<A>, after: string | null, limit = PAGE): Answer => {
  const from = after === null || after === "" ? 0 : all.findIndex((one) => idOf(one) === after) + 1
  const items = all.slice(from, from + limit)
  const last = items.at(-1)
  return { json: { items, ...(last === undefined ? {} : { next_starting_after: idOf(last) }) } }
}

const paged = <A extends { readonly id: string }>(all: ReadonlyArray<A>, after: string | null, limit = PAGE): Answer =>
  pagedBy(({ id }) => id, all, after, limit)

export const instantlyOver = (world: VendorWorld): ((request: Received) => Answer) => {
  const NOT_FOUND: Answer = { status: 404, json: { statusCode: 404, error: "Not Found", message: "not found" } }

  /** Campaigns as they were set. */
  const bodies = new Map<string, SentJson>()

  const personOf = ({ email, person, ref, status }: PersonOfVendor) => ({
    id: ref,
    email,
    status: PERSON_STATUS[status],
    payload: { email, ...person.bodyValues }
  })

  const mails = (campaign: CampaignOfVendor): ReadonlyArray<MailThere> => [
    ...campaign.events.flatMap((event): ReadonlyArray<MailThere> => {
      const common = {
        id: event.eventId,
        timestamp_created: new Date(event.atMillis).toISOString(),
        lead: event.person.email,
        lead_id: event.person.ref,
        campaign_id: campaign.ref
      }
      if (event.kind === "sent") {
        return [{ ...common, ue_type: 1, eaccount: event.mailbox, step: `0_${event.stepIndex}_0` }]
      }
      if (event.kind !== "reply") return []
      return [
        {
          ...common,
          ue_type: 2,
          eaccount: event.mailbox,
          message_id: `<${event.messageId}>`,
          subject: event.subject,
          body: { text: event.text },
          from_address_email: event.fromEmail,
          is_auto_reply: event.isAutomatic ? 1 : 0
        }
      ]
    }),
    ...world.answered.map(({ atMillis, email, subject, text }, index) => ({
      id: `manual-${index}`,
      timestamp_created: new Date(atMillis).toISOString(),
      lead: email,
      campaign_id: campaign.ref,
      ue_type: 3,
      subject,
      body: { text: "", html: text }
    }))
  ]

  const campaigns = (request: Received): Answer => {
    const { body, method, path, query } = request
    const [, , , , id = "", action] = path.split("/")
    if (id === "" && method === "GET") {
      const named = world.campaigns.map(({ ref, terms }) => ({ id: ref, name: terms.title }))
      return paged(
        named.filter(({ name }) => name.includes(query.get("search") ?? "")),
        query.get("starting_after")
      )
    }
    if (id === "") {
      const { ref } = world.create(termsOf(body))
      bodies.set(ref, body)
      return { json: { ...body, id: ref } }
    }
    const campaign = world.campaign(id)
    if (campaign === undefined) return NOT_FOUND
    if (method === "PATCH") {
      campaign.terms = termsOf(body)
      bodies.set(id, { ...bodies.get(id), ...body })
    }
    if (action === "activate") campaign.status = "active"
    if (action === "pause") campaign.status = "paused"
    const status = world.standing(campaign) === "ended" ? 3 : STATUS[campaign.status]
    return { json: { ...bodies.get(id), id, name: campaign.terms.title, status } }
  }

  const leads = ({ body, method, path }: Received): Answer => {
    if (method === "PATCH") {
      const id = path.split("/").at(-1) ?? ""
      const one = world.campaigns.flatMap(({ people }) => people).find(({ ref }) => ref === id)
      if (one === undefined) return NOT_FOUND
      // All its variables at once, as it takes them.
      const values = body.custom_variables
      one.person = { ...one.person, subjectValues: values, bodyValues: values }
      return { json: personOf(one) }
    }
    const campaign = world.campaign(body.campaign_id ?? body.campaign)
    if (campaign === undefined) return NOT_FOUND
    if (path.endsWith("/add")) {
      // Both skip whoever is in any campaign of the account; a campaign itself holds an address once.
      const skips = body.skip_if_in_campaign === true || body.skip_if_in_workspace === true
      const isAnywhere = (email: string) =>
        world.campaigns.some(({ people }) => people.some((one) => one.email === email))
      const created = body.leads.flatMap((lead: SentJson, index: number) => {
        if (skips && isAnywhere(lead.email)) return []
        const values = lead.custom_variables
        const answer = world.take(campaign, {
          campaignLeadId: "",
          email: lead.email,
          firstName: lead.first_name ?? null,
          lastName: lead.last_name ?? null,
          companyName: lead.company_name ?? null,
          subjectValues: values,
          bodyValues: values
        })
        return typeof answer === "object" ? [{ index, id: answer.ref, email: lead.email }] : []
      })
      return { json: { status: "success", created_leads: created, leads_uploaded: created.length } }
    }
    if (path.endsWith("/update-interest-status")) {
      for (const one of campaign.people) if (one.email === body.lead_email) one.interest = String(body.interest_value)
      return { status: 202, json: { message: "accepted" } }
    }
    if (method === "DELETE") {
      const ids: ReadonlyArray<string> = body.ids ?? campaign.people.map(({ ref }) => ref)
      return { json: { count: ids.filter((id) => world.remove(campaign, id)).length } }
    }
    const wanted: ReadonlyArray<string> | undefined = body.contacts
    const found =
      wanted !== undefined
        ? world.look(campaign, wanted)
        : campaign.people.filter(({ ref }) => body.ids === undefined || body.ids.includes(ref))
    return paged(found.map(personOf), body.starting_after ?? null)
  }

  const emails = ({ body, path, query }: Received): Answer => {
    if (path.endsWith("/reply")) {
      const reply = world.campaigns
        .flatMap((campaign) => campaign.events)
        .find(({ eventId }) => eventId === body.reply_to_uuid)
      if (reply?.kind !== "reply") return NOT_FOUND
      const { html, text } = body.body
      world.answered.push({
        to: reply.fromEmail,
        email: reply.person.email,
        subject: body.subject,
        text: html,
        atMillis: 0
      })
      return { json: { id: "manual", message_id: "x", body: { text } } }
    }
    const ref = query.get("campaign_id")
    const lead = query.get("lead")
    const type = query.get("email_type")
    const all = world.campaigns
      .filter((campaign) => ref === null || campaign.ref === ref)
      .flatMap(mails)
      .filter((mail) => lead === null || mail.lead === lead)
      .filter(({ ue_type }) => type === null || ue_type === (type === "received" ? 2 : 3))
      .filter(({ id, timestamp_created }) => {
        const since = query.get("min_timestamp_created")
        return since === null || id.startsWith("manual") || timestamp_created >= since
      })
      .sort((a, b) => (a.timestamp_created < b.timestamp_created ? -1 : 1))
    return paged(all, query.get("starting_after"), type === null ? PAGE : 100)
  }

  return (request) => {
    const [, , , area] = request.path.split("/")
    switch (area) {
      case "campaigns":
        return campaigns(request)
      case "leads":
        return leads(request)
      case "emails":
        return emails(request)
      case "accounts":
        if (request.method === "PATCH")
          return { json: { email: decodeURIComponent(request.path.split("/").at(-1) ?? "") } }
        return pagedBy(
          ({ email }) => email,
          world.mailboxes.map(({ address, displayName, isActive }) => ({
            email: address,
            first_name: displayName,
            status: isActive ? 1 : -1
          })),
          request.query.get("starting_after")
        )
      case "block-lists-entries":
        if (request.method === "POST") {
          world.blocked.add(request.body.bl_value)
          return { json: { bl_value: request.body.bl_value } }
        }
        return {
          json: {
            items: [...world.blocked]
              .filter((value) => value.includes(request.query.get("search") ?? ""))
              .map((value) => ({ bl_value: value }))
          }
        }
      default:
        return NOT_FOUND
    }
  }
}
