import type { ErasedPerson } from "@outbound/domain/control/erasure/ErasureStore.js"
import {
  PersonRecords,
  type PersonSection,
  type PersonSections,
  REQUESTS_MAX,
  SECTION_ROWS_MAX
} from "@outbound/domain/control/personFile/PersonRecords.js"
import { wordsOf } from "@outbound/domain/calls/approvals/Snapshot.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const iso = (millis: number): string => new Date(millis).toISOString()
const isoOrNull = (millis: number | null): string | null => (millis === null ? null : iso(millis))

const theirLeads = ({ leads }: Tables, { addressHash, workspaceId }: ErasedPerson) =>
  leads.where("person", keyOf(workspaceId, addressHash)).sort(ascending((lead) => lead.campaignLeadId))

const ofLeads = (tables: Tables, person: ErasedPerson): ReadonlySet<string> =>
  new Set(theirLeads(tables, person).map(({ campaignLeadId }) => campaignLeadId))

const nameOf = ({ campaigns }: Tables, workspaceId: string, campaignId: string): string =>
  campaigns.get(keyOf(workspaceId, campaignId))?.name ?? ""

/** The calls that name them, or that put them into a campaign. */
const callsOf = ({ callSubjects, trail }: Tables, { addressHash, email, workspaceId }: ErasedPerson) => [
  ...new Set([
    ...callSubjects.where("person", keyOf(workspaceId, addressHash)).map(({ ref }) => ref),
    ...trail
      .where("workspace", workspaceId)
      .flatMap((event) => (event.kind === "admitted" && event.email === email ? (event.requestId ?? []) : []))
  ])
]

const SECTIONS: {
  readonly [Section in PersonSection]: (tables: Tables, person: ErasedPerson) => Array<PersonSections[Section]>
} = {
  leads: (tables, person) =>
    theirLeads(tables, person).map((lead) => {
      const approval =
        lead.approvalId === null ? undefined : tables.approvals.get(keyOf(lead.workspaceId, lead.approvalId))
      return {
        campaign_id: lead.campaignId,
        campaign_lead_id: lead.campaignLeadId,
        campaign: nameOf(tables, lead.workspaceId, lead.campaignId),
        first_name: lead.firstName,
        last_name: lead.lastName,
        company_name: lead.companyName,
        custom: lead.custom,
        evidence: lead.evidence ?? null,
        state: lead.state,
        interest_status: lead.interestStatus,
        approval_id: lead.approvalId,
        approved_at: isoOrNull(approval?.decidedAtMillis ?? null),
        origin: lead.origin,
        notice:
          (approval === undefined ? undefined : wordsOf(approval.snapshot)?.texts[lead.words?.notice ?? ""]) ?? null,
        notice_language: lead.words?.language ?? null
      }
    }),
  messages: (tables, person) =>
    theirLeads(tables, person)
      .flatMap(({ campaignLeadId, workspaceId }) => tables.messages.where("lead", keyOf(workspaceId, campaignLeadId)))
      .sort(
        ascending(
          (message) => message.claimedAtMillis,
          (message) => message.messageId
        )
      )
      .map((message) => ({
        campaign_id: message.campaignId,
        campaign_lead_id: message.campaignLeadId,
        message_id: message.messageId,
        step_index: message.stepIndex,
        variant: message.variant,
        state: message.state,
        from_email: tables.mailboxes.get(keyOf(message.workspaceId, message.mailboxId))?.address ?? "",
        sent_at: isoOrNull(message.sentAtMillis)
      })),
  replies: (tables, person) => {
    const leads = ofLeads(tables, person)
    return tables.replies
      .where("workspace", person.workspaceId)
      .filter(({ campaignLeadId }) => leads.has(campaignLeadId))
      .sort(
        ascending(
          (reply) => reply.receivedAtMillis,
          (reply) => reply.replyId
        )
      )
      .map((reply) => ({
        campaign_id: reply.campaignId,
        reply_id: reply.replyId,
        from_email: reply.fromEmail,
        subject: reply.subject,
        body_text: reply.bodyText,
        classification: reply.classification,
        received_at: iso(reply.receivedAtMillis)
      }))
  },
  answers: (tables, person) => {
    const leads = ofLeads(tables, person)
    return tables.sentReplies
      .where("workspace", person.workspaceId)
      .filter((sent) => sent.addressHash === person.addressHash || leads.has(sent.campaignLeadId))
      .sort(
        ascending(
          (sent) => sent.createdAtMillis,
          (sent) => sent.sentReplyId
        )
      )
      .map((sent) => ({
        campaign_id: sent.campaignId,
        sent_reply_id: sent.sentReplyId,
        to_email: sent.toEmail,
        from_email: sent.fromEmail,
        subject: sent.subject,
        body_text: sent.bodyText,
        approval_id: sent.approvalId,
        sent_at: isoOrNull(sent.sentAtMillis)
      }))
  },
  waiting: ({ inbox }, { email, workspaceId }) =>
    inbox
      .filter(
        ({ event, taken }) => !taken && event.workspaceId === workspaceId && usableEmail(event.fromEmail) === email
      )
      .sort(
        ascending(
          ({ event }) => event.receivedAtMillis,
          ({ event }) => event.providerEventId
        )
      )
      .map(({ event }) => ({
        received_at: iso(event.receivedAtMillis),
        subject: event.subject ?? "",
        body_text: event.bodyText ?? ""
      })),
  shown: ({ approvals, shownPeople }, { addressHash, workspaceId }) =>
    shownPeople
      .where("person", keyOf(workspaceId, addressHash))
      .sort(ascending(({ person }) => person.shownId))
      .flatMap(({ approvalId }) => {
        const approval = approvals.get(keyOf(workspaceId, approvalId))
        if (approval === undefined) return []
        return [{ approval_id: approvalId, verb: approval.verb, asked_at: iso(approval.createdAtMillis) }]
      }),
  left_out: (tables, { addressHash, workspaceId }) =>
    tables.leftOut
      .where("person", keyOf(workspaceId, addressHash))
      .sort(ascending(({ person }) => person.leftOutId))
      .map(({ campaignId, person }) => ({
        campaign_id: campaignId,
        campaign: nameOf(tables, workspaceId, campaignId),
        reason: person.reason
      })),
  calls: (tables, person) =>
    callsOf(tables, person)
      .flatMap((requestId) => {
        const call = tables.calls.get(requestId)
        if (call === undefined || call.workspaceId !== person.workspaceId) return []
        const { createdAtMillis, verb } = call.record
        const key = tables.keys.get(call.keyId)?.key.name ?? null
        return [{ request_id: requestId, verb, key, at: iso(createdAtMillis) }]
      })
      .sort(
        ascending(
          ({ at }) => at,
          ({ request_id }) => request_id
        )
      ),
  directory: ({ directoryPeople }, { addressHash, workspaceId }) => {
    const row = directoryPeople.get(keyOf(workspaceId, addressHash))
    if (row === undefined) return []
    const { kept } = row
    return [
      {
        full_name: kept.fullName,
        first_name: kept.firstName,
        last_name: kept.lastName,
        title: kept.title,
        company_name: kept.companyName,
        company_domain: kept.companyDomain,
        headcount: kept.headcount,
        industry: kept.industry,
        city: kept.city,
        region: kept.region,
        country: kept.country,
        work_email: kept.workEmail,
        email_status: kept.emailStatus,
        mobile_phone: kept.mobilePhone,
        social_url: kept.socialUrl,
        observed_at: isoOrNull(kept.observedAtMillis),
        imported_at: iso(kept.importedAtMillis),
        list_file: kept.listFile,
        list_line: kept.listLine
      }
    ]
  },
  verdicts: ({ verdicts }, { addressHash, workspaceId }) => {
    const verdict = verdicts.get(keyOf(workspaceId, addressHash))
    return verdict === undefined ? [] : [{ status: verdict.status, checked_at: iso(verdict.checkedAtMillis) }]
  },
  suppressions: ({ suppressions }, { addressHash, workspaceId }) =>
    suppressions
      .filter((row) => row.workspaceId === workspaceId && row.addressHash === addressHash)
      .sort(
        ascending(
          (row) => row.atMillis,
          (row) => row.source
        )
      )
      .map(({ atMillis, source }) => ({ source, suppressed_at: iso(atMillis) })),
  events: ({ sealed, trail }, { email, workspaceId }) =>
    trail
      .where("workspace", workspaceId)
      .filter((event) => event.email === email)
      .sort(
        ascending(
          (event) => event.observedAtMillis,
          (event) => event.eventId
        )
      )
      .map((event) => ({
        event_id: event.eventId,
        kind: event.kind,
        source: event.source,
        observed_at: iso(event.observedAtMillis),
        campaign_id: event.campaignId,
        request_id: event.requestId,
        seal: sealed.get(event.eventId) ?? null
      }))
}

export const layer = memoryStore(PersonRecords, "PersonRecords", ({ read, write }) => ({
  read: <Section extends PersonSection>(sections: ReadonlyArray<Section>, person: ErasedPerson) =>
    read(
      (tables) =>
        Object.fromEntries(
          sections.map((section) => [section, SECTIONS[section](tables, person).slice(0, SECTION_ROWS_MAX)] as const)
        ) as unknown as { readonly [S in Section]: ReadonlyArray<PersonSections[S]> }
    ),
  emailOf: (workspaceId, campaignLeadId) =>
    read(({ leads }) => leads.get(keyOf(workspaceId, campaignLeadId))?.email || null),
  ask: (workspaceId, campaignLeadId, ask, askedAtMillis) =>
    write(({ personRequests }) => {
      const key = keyOf(workspaceId, campaignLeadId, ask)
      if (personRequests.get(key)?.metAtMillis === null) return
      personRequests.set(key, { workspaceId, campaignLeadId, ask, askedAtMillis, metAtMillis: null })
    }),
  met: (person, ask, metAtMillis) =>
    write((tables) => {
      for (const campaignLeadId of ofLeads(tables, person)) {
        const key = keyOf(person.workspaceId, campaignLeadId, ask)
        const open = tables.personRequests.get(key)
        if (open?.metAtMillis === null) tables.personRequests.set(key, { ...open, metAtMillis })
      }
    }),
  open: (workspaceId) =>
    read(({ leads, personRequests }) =>
      personRequests
        .filter((row) => row.workspaceId === workspaceId && row.metAtMillis === null)
        .sort(
          ascending(
            (row) => row.askedAtMillis,
            (row) => row.campaignLeadId,
            (row) => row.ask
          )
        )
        .flatMap(({ ask, askedAtMillis, campaignLeadId }) => {
          const email = leads.get(keyOf(workspaceId, campaignLeadId))?.email ?? ""
          return email === "" ? [] : [{ campaignLeadId, email, ask, askedAtMillis }]
        })
        .slice(0, REQUESTS_MAX)
    )
}))
