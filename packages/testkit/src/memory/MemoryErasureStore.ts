import {
  type ErasedPerson,
  type ErasureRequest,
  ErasureStore,
  type Words,
  type WordsOf
} from "@outbound/domain/control/erasure/ErasureStore.js"
import { personKeysOf } from "@outbound/domain/data/directory/matched.js"
import type { KeptPerson } from "@outbound/domain/data/directory/Records.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { messageIdOf } from "@outbound/domain/outreach/sending/compose.js"
import { takeOut } from "./MemoryReplyStore.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"
import type { DirectoryRow, InboxRow, SubjectRow, Tables } from "./Tables.js"

interface Row {
  readonly id: string
  readonly text: string
}

type Change = (tables: Tables, key: string, text: string) => void

/** Where words stand: how they are taken out of their rows, and put back. */
const WORDS: Readonly<
  Record<WordsOf, { readonly read: (tables: Tables, workspaceId: string) => Array<Row>; readonly write: Change }>
> = {
  campaign_leads: {
    read: ({ leads }, workspaceId) =>
      leads
        .filter((lead) => lead.workspaceId === workspaceId)
        .map(({ campaignLeadId, companyName, custom, evidence, firstName, lastName, origin }) => ({
          id: campaignLeadId,
          text: JSON.stringify({ firstName, lastName, companyName, custom, evidence, origin })
        })),
    write: ({ leads }, key, text) => leads.update(key, (lead) => ({ ...lead, ...JSON.parse(text) }))
  },
  replies: {
    read: ({ replies }, workspaceId) =>
      replies.where("workspace", workspaceId).map((reply) => ({
        id: reply.replyId,
        text: JSON.stringify({
          from_email: reply.fromEmail,
          subject: reply.subject,
          snippet: reply.snippet,
          body_text: reply.bodyText,
          body_html: reply.bodyHtml
        })
      })),
    write: ({ replies }, key, text) => {
      const words = JSON.parse(text)
      replies.update(key, (reply) => ({
        ...reply,
        fromEmail: words.from_email,
        subject: words.subject,
        snippet: words.snippet,
        bodyText: words.body_text,
        bodyHtml: words.body_html
      }))
    }
  },
  sent_replies: {
    read: ({ sentReplies }, workspaceId) =>
      sentReplies.where("workspace", workspaceId).map(({ bodyText, sentReplyId, subject }) => ({
        id: sentReplyId,
        text: JSON.stringify({ subject, body_text: bodyText })
      })),
    write: ({ sentReplies }, key, text) => {
      const { body_text: bodyText, subject } = JSON.parse(text)
      sentReplies.update(key, (sent) => ({ ...sent, subject, bodyText }))
    }
  },
  list_rows: {
    read: ({ listRows }, workspaceId) =>
      listRows
        .filter((row) => row.workspaceId === workspaceId)
        .map(({ body, input, rowId, uploaded }) => ({
          id: rowId,
          text: JSON.stringify({ input, body: body === null ? null : JSON.parse(body), uploaded })
        })),
    write: ({ listRows }, key, text) => {
      const { body, input, uploaded } = JSON.parse(text)
      listRows.update(key, (row) => ({ ...row, input, body: body === null ? null : JSON.stringify(body), uploaded }))
    }
  },
  approval_people: {
    read: ({ shownPeople }, workspaceId) =>
      shownPeople
        .filter((row) => row.workspaceId === workspaceId)
        .map(({ person: { companyName, custom, evidence, firstName, lastName, shownId } }) => ({
          id: shownId,
          text: JSON.stringify({ firstName, lastName, companyName, custom, evidence })
        })),
    write: ({ shownPeople }, key, text) =>
      shownPeople.update(key, (row) => ({ ...row, person: { ...row.person, ...JSON.parse(text) } }))
  },
  campaign_left_out: {
    read: ({ leftOut }, workspaceId) =>
      leftOut
        .filter((row) => row.workspaceId === workspaceId)
        .map(({ person: { detail, leftOutId } }) => ({ id: leftOutId, text: JSON.stringify({ detail }) })),
    write: ({ leftOut }, key, text) =>
      leftOut.update(key, (row) => ({ ...row, person: { ...row.person, ...JSON.parse(text) } }))
  },
  saved_answers: {
    read: ({ savedAnswers }, workspaceId) =>
      savedAnswers
        .filter((answer) => answer.workspaceId === workspaceId)
        .map(({ body, savedAnswerId }) => ({ id: savedAnswerId, text: JSON.stringify({ body }) })),
    write: ({ savedAnswers }, key, text) => savedAnswers.update(key, (answer) => ({ ...answer, ...JSON.parse(text) }))
  },
  approvals: {
    read: ({ approvals }, workspaceId) =>
      approvals
        .filter((approval) => approval.workspaceId === workspaceId)
        .map(({ approvalId, snapshot }) => ({ id: approvalId, text: JSON.stringify({ snapshot }, bigints) })),
    write: ({ approvals }, key, text) =>
      approvals.update(key, (approval) => ({ ...approval, snapshot: JSON.parse(text, toBigints).snapshot }))
  }
}

/** Amounts of credits are no JSON. */
const BIGINT = /^bigint:(\d+)$/
const bigints = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? `bigint:${value}` : value)
const toBigints = (_key: string, value: unknown): unknown => {
  const digits = typeof value === "string" ? BIGINT.exec(value)?.[1] : undefined
  return digits === undefined ? value : BigInt(digits)
}

const theirLeads = ({ leads }: Tables, { addressHash, workspaceId }: ErasedPerson) =>
  leads.where("person", keyOf(workspaceId, addressHash)).sort(ascending((lead) => lead.campaignLeadId))

const isOpenFor = (one: ErasureRequest, { addressHash, workspaceId }: ErasureRequest): boolean =>
  one.workspaceId === workspaceId && one.addressHash === addressHash && one.finishedAtMillis === null

/** One that is finished, or another workspace's, stays as it is. */
const change = (
  { erasures }: Tables,
  { erasureId, workspaceId }: ErasureRequest,
  changed: (one: ErasureRequest) => ErasureRequest
): void => {
  const one = erasures.get(keyOf(workspaceId, erasureId))
  if (one?.finishedAtMillis === null) erasures.set(keyOf(workspaceId, erasureId), changed(one))
}

const refsOf = (table: Tables["callSubjects"], workspaceId: string, subjects: ReadonlyArray<string>) => [
  ...new Set(subjects.flatMap((subject) => table.where("person", keyOf(workspaceId, subject)).map(({ ref }) => ref)))
]

const subjectKey = ({ ref, subject, workspaceId }: SubjectRow): string => keyOf(workspaceId, subject, ref)

const isTheirs =
  (tables: Tables, { addressHash, email, workspaceId }: ErasedPerson) =>
  ({ event, taken }: InboxRow): boolean => {
    if (taken || event.workspaceId !== workspaceId) return false
    if (usableEmail(event.fromEmail) === email) return true
    const answers = messageIdOf(event.inReplyTo)
    if (answers === null) return false
    const sent = tables.sentReplies.get(keyOf(workspaceId, answers))
    if (sent?.addressHash === addressHash) return true
    const answered = tables.messages.get(keyOf(workspaceId, answers)) ?? sent
    const lead = answered && tables.leads.get(keyOf(workspaceId, answered.campaignLeadId))
    return lead?.addressHash === addressHash
  }

export const layer = memoryStore(ErasureStore, "ErasureStore", ({ read, write }) => ({
  open: (request) =>
    write(({ erasures }) => {
      const standing = erasures.filter((one) => isOpenFor(one, request))[0]
      if (standing !== undefined) return standing
      erasures.insert(keyOf(request.workspaceId, request.erasureId), request)
      return request
    }),
  update: (request) =>
    write((tables) =>
      change(tables, request, (one) => ({ ...one, fingerprints: request.fingerprints, told: one.told || request.told }))
    ),
  finish: (request, finishedAtMillis) =>
    write((tables) => change(tables, request, (one) => ({ ...one, finishedAtMillis, fingerprints: [] }))),
  get: (workspaceId, erasureId) => read(({ erasures }) => erasures.find(keyOf(workspaceId, erasureId))),

  eraseLeads: (person, leaving, limit) =>
    write((tables) => {
      const theirs = theirLeads(tables, person)
        .filter(({ email }) => email !== "")
        .slice(0, limit)
      for (const lead of theirs) {
        tables.leads.set(keyOf(lead.workspaceId, lead.campaignLeadId), {
          ...lead,
          email: "",
          firstName: null,
          lastName: null,
          companyName: null,
          custom: {},
          evidence: null,
          origin: lead.origin === null ? null : { ...lead.origin, file: null },
          state: leaving.includes(lead.state) ? "removed" : lead.state,
          nextAtMillis: null
        })
      }
      return theirs.map(({ campaignId, campaignLeadId }) => ({ campaignId, campaignLeadId }))
    }),

  eraseReplies: (person, limit) =>
    write((tables) => {
      const leads = new Set(theirLeads(tables, person).map(({ campaignLeadId }) => campaignLeadId))
      const blank = { fromEmail: "", subject: "", snippet: "", bodyText: "", bodyHtml: null, messageId: null }
      const theirs = tables.replies
        .where("workspace", person.workspaceId)
        .filter((reply) => leads.has(reply.campaignLeadId))
        .filter((reply) => Object.entries(blank).some(([name, value]) => reply[name as keyof typeof blank] !== value))
        .slice(0, limit)
      for (const reply of theirs) tables.replies.set(keyOf(reply.workspaceId, reply.replyId), { ...reply, ...blank })
      return theirs.length
    }),

  eraseAnswers: (person, limit) =>
    write((tables) => {
      const leads = new Set(theirLeads(tables, person).map(({ campaignLeadId }) => campaignLeadId))
      const theirs = tables.sentReplies
        .where("workspace", person.workspaceId)
        .filter((sent) => sent.addressHash === person.addressHash || leads.has(sent.campaignLeadId))
        .filter(({ bodyText, subject, toEmail }) => toEmail !== "" || subject !== "" || bodyText !== "")
        .slice(0, limit)
      for (const sent of theirs) {
        const blank = { ...sent, toEmail: "", subject: "", bodyText: "", references: [] }
        tables.sentReplies.set(keyOf(sent.workspaceId, sent.sentReplyId), blank)
      }
      return theirs.length
    }),

  forgetShown: ({ addressHash, workspaceId }, limit) =>
    write(({ shownPeople }) => {
      const theirs = shownPeople.where("person", keyOf(workspaceId, addressHash)).slice(0, limit)
      for (const { person } of theirs) shownPeople.delete(keyOf(workspaceId, person.shownId))
      return theirs.length
    }),

  forgetLeftOut: ({ addressHash, workspaceId }, limit) =>
    write(({ leftOut }) => {
      const theirs = leftOut.where("person", keyOf(workspaceId, addressHash)).slice(0, limit)
      for (const { person } of theirs) leftOut.delete(keyOf(workspaceId, person.leftOutId))
      return theirs.length
    }),

  forgetVerdict: ({ addressHash, workspaceId }) =>
    write(({ verdicts }) => {
      const person = keyOf(workspaceId, addressHash)
      const isKnown = verdicts.has(person)
      if (isKnown) verdicts.delete(person)
      return isKnown ? 1 : 0
    }),

  takeWaiting: (person, limit) =>
    write((tables) => {
      const theirs = tables.inbox
        .filter(isTheirs(tables, person))
        .sort(ascending(({ event }) => event.receivedAtMillis))
        .slice(0, limit)
      for (const { event } of theirs) takeOut(tables, event)
      return theirs.map(({ event }) => event)
    }),

  forgetSubject: ({ email, workspaceId }) =>
    write(({ salts, seen, trail }) => {
      const person = keyOf(workspaceId, email)
      if (!seen.has(person)) return false
      seen.delete(person)
      salts.delete(person)
      for (const event of trail.where("workspace", workspaceId)) {
        if (event.email === email) trail.set(event.eventId, { ...event, email: null })
      }
      return true
    }),

  words: (of, { email, workspaceId }, { after, limit }) =>
    read((tables) => {
      const page = WORDS[of]
        .read(tables, workspaceId)
        .filter(({ id }) => after === null || id > after)
        .sort(ascending(({ id }) => id))
        .slice(0, limit)
      const stands = JSON.stringify(email).slice(1, -1)
      return {
        found: page.filter(({ text }) => text.toLowerCase().includes(stands)),
        next: page.length === limit ? (page.at(-1)?.id ?? null) : null
      }
    }),
  rewrite: (of, workspaceId, { id, text }: Words) =>
    write((tables) => WORDS[of].write(tables, keyOf(workspaceId, id), text)),

  outcomes: (workspaceId, subjects, { after, limit }) =>
    read(({ callSubjects, records }) =>
      refsOf(callSubjects, workspaceId, subjects)
        .filter((requestId) => after === null || requestId > after)
        .sort()
        .flatMap((requestId) => {
          const body = records.where("request", requestId)[0]?.outcome?.body
          return body === undefined ? [] : [{ requestId, body }]
        })
        .slice(0, limit)
    ),
  rewriteOutcome: (workspaceId, { body, requestId }) =>
    write(({ calls, records }) => {
      const claim = calls.get(requestId)
      const [record] = records.where("request", requestId)
      if (claim?.workspaceId !== workspaceId || claim.idempotency === null || record?.outcome == null) return
      const key = keyOf(claim.keyId, claim.idempotency.key, claim.idempotency.phase)
      records.set(key, { ...record, outcome: { ...record.outcome, body } })
    }),

  contacts: (workspaceId, subjects, limit) =>
    read(({ cache, contactSubjects }) =>
      refsOf(contactSubjects, workspaceId, subjects)
        .flatMap((personKey) => cache.get(keyOf(workspaceId, personKey))?.contact ?? [])
        .slice(0, limit)
    ),
  forgetContacts: (workspaceId, subjects, limit) =>
    write(({ cache, contactSubjects }) => {
      const theirs = new Set(refsOf(contactSubjects, workspaceId, subjects).slice(0, limit))
      for (const personKey of theirs) cache.delete(keyOf(workspaceId, personKey))
      const gone = contactSubjects.filter((row) => row.workspaceId === workspaceId && theirs.has(row.ref))
      for (const row of gone) contactSubjects.delete(subjectKey(row))
      return theirs.size
    }),
  forgetFollowUps: (workspaceId, subjects, limit) =>
    write(({ followUps }) =>
      followUps.deleteFirst(
        limit,
        (row) => row.workspaceId === workspaceId && row.addressHashes.some((one) => subjects.includes(one))
      )
    ),
  forgetPerson: ({ addressHash, workspaceId }) =>
    write(({ directoryPeople }) => {
      const them = directoryPeople.get(keyOf(workspaceId, addressHash))
      if (them === undefined) return 0
      const keys = personKeysOf(them.kept)
      const isThem = ({ kept: other, ...row }: DirectoryRow<KeptPerson>): boolean => {
        if (row.workspaceId !== workspaceId) return false
        if (other.fingerprint === addressHash) return true
        const { companyKey, nameKey, socialKey } = personKeysOf(other)
        if (other.workEmail !== null) return false
        if (socialKey !== null && keys.socialKey !== null) return socialKey === keys.socialKey
        return companyKey !== null && companyKey === keys.companyKey && nameKey !== null && nameKey === keys.nameKey
      }
      const theirs = directoryPeople.keysWhere(isThem)
      for (const key of theirs) directoryPeople.delete(key)
      return theirs.length
    }),
  forgetOffered: (workspaceId, fingerprints) =>
    write(({ offers }) => {
      for (const offer of offers.filter((one) => one.workspaceId === workspaceId)) {
        const known = offer.known.filter((one) => !fingerprints.includes(one))
        if (known.length < offer.known.length)
          offers.update(keyOf(workspaceId, offer.offerId), (one) => ({ ...one, known }))
      }
    }),
  forgetSubjects: (workspaceId, subjects, requestIds) =>
    write(({ callSubjects }) => {
      const gone = subjects
        .flatMap((subject) => callSubjects.where("person", keyOf(workspaceId, subject)))
        .filter(({ ref }) => requestIds.includes(ref))
      for (const row of gone) callSubjects.delete(subjectKey(row))
    }),
  forgetNamed: (workspaceId, subjects, limit) =>
    write(({ callSubjects, records }) => {
      const gone = subjects
        .flatMap((subject) => callSubjects.where("person", keyOf(workspaceId, subject)))
        .filter(({ ref }) => records.where("request", ref).length === 0)
        .slice(0, limit)
      for (const row of gone) callSubjects.delete(subjectKey(row))
      return gone.length
    })
}))
