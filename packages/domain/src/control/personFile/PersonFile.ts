import { Clock, Context, Effect, Layer, Option } from "effect"
import { invalid, refuse, type AnyWireError } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { addressHashOf, EVERYBODY, namedIn } from "../../kernel/people/subjects.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { wordedBy } from "../../kernel/sequences/variants.js"
import { eventHash } from "../../kernel/trail/seals.js"
import { SealStore } from "../../kernel/trail/SealStore.js"
import { type Workspace, WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "../../outreach/campaigns/CampaignStore.js"
import { mergedMessage } from "../../outreach/sending/compose.js"
import { SEND_CHECKS } from "../../outreach/sending/sendRule.js"
import { leadOfLink, type UnsubscribeLink } from "../../outreach/suppression/links.js"
import { layer as unsubscribing, Unsubscribe } from "../../outreach/optOut/Unsubscribe.js"
import { owner, makeLogBy } from "../access.js"
import type { ControlRefused } from "../Control.js"
import { type ErasedPerson, ErasureStore } from "../erasure/ErasureStore.js"
import type { SignedIn } from "../users/UserStore.js"
import { aboutThem } from "./aboutThem.js"
import { type FiledSeal, personFileText } from "./fileText.js"
import { type Origin, originsOf } from "./origins.js"
import {
  type PersonAsk,
  type PersonLead,
  type PersonMessage,
  PersonRecords,
  type PersonRequest,
  type PersonSection,
  type PersonSections,
  SECTION_ROWS_MAX
} from "./PersonRecords.js"

/** A message as it was sent. Its text is null if the campaign no longer holds what it was merged from. */
export interface FiledMessage extends PersonMessage {
  readonly subject: string | null
  readonly text: string | null
}

/** What a call found out about them. */
export interface FoundOut {
  readonly request_id: string
  readonly about: ReadonlyArray<unknown>
}

type FileWorkspace = Pick<Workspace, "workspaceId" | "name" | "postalAddress">

/** What the page behind a person's link says of them. Anyone may open a link, so it costs few reads, whatever is stored. */
export interface PersonPage {
  readonly workspace: FileWorkspace
  /** Where the address came from, the earliest first. */
  readonly origins: ReadonlyArray<Origin>
  readonly sections: Pick<PersonFile["sections"], Exclude<(typeof ON_PAGE)[number], "calls" | "directory">>
}

/** Everything that a workspace holds about one address. */
export interface PersonFile {
  readonly workspace: FileWorkspace
  readonly email: string
  readonly madeAtMillis: number
  /** Where the address came from, the earliest first. */
  readonly origins: ReadonlyArray<Origin>
  readonly sections: { readonly [S in Exclude<PersonSection, "messages">]: ReadonlyArray<PersonSections[S]> } & {
    readonly messages: ReadonlyArray<FiledMessage>
  }
  readonly found: ReadonlyArray<FoundOut>
  readonly contacts: ReadonlyArray<unknown>
  readonly listed: ReadonlyArray<unknown>
  /** Sections that hold more rows than a file does. */
  readonly incomplete: ReadonlyArray<PersonSection>
  /** The file's text, which `outbound trail verify` takes. */
  readonly text: string
}

/**
 * One person's file: everything that the workspace holds about an address, and nothing about anybody else (contract:
 * trail, one person's file). It answers a request for access.
 */
export class PersonFiles extends Context.Service<
  PersonFiles,
  {
    /** For owners. The control log notes it. `invalid_request`: no address. */
    readonly make: (by: SignedIn, email: string) => FromStore<PersonFile, ControlRefused | AnyWireError>
    /** For the operator. `not_found`: no such workspace. */
    readonly makeFor: (workspaceId: string, email: string) => FromStore<PersonFile, AnyWireError>
    /** What people ask and nobody has met yet. For owners. */
    readonly asked: (by: SignedIn) => FromStore<ReadonlyArray<PersonRequest>, ControlRefused>
    /** The page of the person whom a genuine unsubscribe link names; none for any other. */
    readonly behind: (link: UnsubscribeLink) => FromStore<Option.Option<PersonPage>>
    /** Keeps what that person asks, once, and alerts the owners. An erasure asked for stops their mail at once. False: not our link. */
    readonly ask: (link: UnsubscribeLink, ask: PersonAsk) => FromStore<boolean>
  }
>()("@outbound/domain/control/personFile/PersonFile/PersonFiles") {}

const SECTIONS = [
  "leads",
  "messages",
  "replies",
  "answers",
  "waiting",
  "shown",
  "left_out",
  "calls",
  "directory",
  "verdicts",
  "suppressions",
  "events"
] as const satisfies ReadonlyArray<PersonSection>

/** What the page behind a link is made of. */
const ON_PAGE = [
  "leads",
  "messages",
  "calls",
  "directory",
  "suppressions",
  "events"
] as const satisfies ReadonlyArray<PersonSection>

/** Most rows that one read of stored outcomes returns. */
const PAGE_ROWS = 200

/** Most rows of lists that one read looks at: it returns those alone that name the person. */
const LISTED_ROWS = 10_000

/** What another person wrote or got stays theirs. */
const WITHHELD = { subject: "", body_text: "[written by or to somebody else]" }

export const layer = Layer.effect(
  PersonFiles,
  Effect.gen(function* () {
    const records = yield* PersonRecords
    const kept = yield* ErasureStore
    const seals = yield* SealStore
    const campaigns = yield* CampaignStore
    const workspaces = yield* WorkspaceStore
    const crypto = yield* Crypto
    const logBy = yield* makeLogBy
    const { unsubscribe } = yield* Unsubscribe
    const { atomically } = yield* UnitOfWork

    const sha256 = crypto.sha256Hex

    /** The messages with their texts, merged as they were when they left. */
    const written = (person: ErasedPerson, leads: ReadonlyArray<PersonLead>, messages: ReadonlyArray<PersonMessage>) =>
      Effect.forEach(leads, (lead) =>
        Effect.map(campaigns.get(person.workspaceId, lead.campaign_id), (found): ReadonlyArray<FiledMessage> => {
          const theirs = messages.filter((message) => message.campaign_lead_id === lead.campaign_lead_id)
          return theirs.map((message, index) => {
            if (Option.isNone(found)) return { ...message, subject: null, text: null }
            const recipient = {
              email: person.email,
              firstName: lead.first_name,
              lastName: lead.last_name,
              companyName: lead.company_name,
              custom: lead.custom
            }
            // A step that failed was tried again, so the place of a message says nothing of its step.
            const variants = new Map(theirs.slice(0, index + 1).map((one) => [one.step_index, one.variant]))
            const { sequence: steps } = found.value
            const sequence = wordedBy(
              steps,
              steps.map((_, step) => variants.get(step) ?? null)
            )
            const { body, subject } = mergedMessage(sequence, message.step_index, recipient)
            return { ...message, subject, text: body.map((piece) => piece.text).join("") }
          })
        })
      ).pipe(Effect.map((of) => of.flat()))

    /** What calls found out about them and is still stored. */
    const foundOut = (person: ErasedPerson, fingerprints: Set<string>) =>
      Effect.gen(function* () {
        const found: Array<FoundOut> = []
        let after: string | null = null
        do {
          const page: ReadonlyArray<{ readonly requestId: string; readonly body: string }> = yield* kept.outcomes(
            person.workspaceId,
            [person.addressHash, EVERYBODY],
            { after, limit: PAGE_ROWS }
          )
          for (const { body, requestId } of page) {
            const about = aboutThem({ email: person.email, fingerprints }, body)
            if (about.length > 0) found.push({ request_id: requestId, about })
          }
          after = page.length === PAGE_ROWS ? (page.at(-1)?.requestId ?? null) : null
        } while (after !== null && found.length < SECTION_ROWS_MAX)
        return found
      })

    /** Rows of lists that name them: what was uploaded, and what came of it. */
    const listedRows = (person: ErasedPerson, fingerprints: Set<string>) =>
      Effect.gen(function* () {
        const found: Array<unknown> = []
        let after: string | null = null
        do {
          const page: { readonly found: ReadonlyArray<{ readonly text: string }>; readonly next: string | null } =
            yield* kept.words("list_rows", person, { after, limit: LISTED_ROWS })
          for (const { text } of page.found) {
            const about = aboutThem({ email: person.email, fingerprints }, text)
            const { uploaded } = JSON.parse(text) as { readonly uploaded?: unknown }
            if (about.length > 0) found.push({ uploaded: uploaded ?? null, about })
          }
          after = page.next
        } while (after !== null && found.length < SECTION_ROWS_MAX)
        return found
      })

    /** The seals that cover their events, each read once. */
    const sealed = (workspaceId: string, events: ReadonlyArray<PersonSections["events"]>) => {
      const theirs = new Set(events.map(({ event_id }) => event_id))
      const numbers = [...new Set(events.flatMap(({ seal }) => (seal === null ? [] : [seal])))].sort((a, b) => a - b)
      return Effect.forEach(numbers, (number) =>
        Effect.map(
          seals.next(workspaceId, number - 1),
          Option.match({
            onNone: (): ReadonlyArray<FiledSeal> => [],
            onSome: ({ events: all, seal }): ReadonlyArray<FiledSeal> =>
              seal.number === number
                ? [
                    {
                      seal,
                      hashes: all.map((event) => eventHash(sha256, event)),
                      theirs: all.filter((event) => theirs.has(event.eventId) && event.salt !== null)
                    }
                  ]
                : []
          })
        )
      ).pipe(Effect.map((of) => of.flat()))
    }

    const made = (workspace: Workspace, given: string) =>
      Effect.gen(function* () {
        const email = usableEmail(given)
        if (email === null) {
          return yield* Effect.fail<AnyWireError>(invalid([{ path: "email", message: "must be an email address" }]))
        }
        const { name, postalAddress, workspaceId } = workspace
        const person: ErasedPerson = { workspaceId, email, addressHash: addressHashOf(crypto, workspaceId, email) }
        const rows = yield* records.read(SECTIONS, person)
        const contacts = (yield* kept.contacts(workspaceId, [person.addressHash], PAGE_ROWS)).map((contact): unknown =>
          JSON.parse(contact)
        )
        const fingerprints = namedIn(...contacts).fingerprints
        const found = yield* foundOut(person, fingerprints)
        const listed = yield* listedRows(person, fingerprints)
        const sections = {
          ...rows,
          messages: yield* written(person, rows.leads, rows.messages),
          replies: rows.replies.map((reply) =>
            usableEmail(reply.from_email) === email ? reply : { ...reply, ...WITHHELD, from_email: "" }
          ),
          answers: rows.answers.map((answer) =>
            usableEmail(answer.to_email) === email ? answer : { ...answer, ...WITHHELD, to_email: "" }
          )
        }
        const incomplete = SECTIONS.filter((section) => rows[section].length >= SECTION_ROWS_MAX)
        const origins = originsOf(sections)
        const madeAtMillis = yield* Clock.currentTimeMillis
        const content = {
          workspace: { workspace_id: workspaceId, name, postal_address: postalAddress },
          email,
          made_at: new Date(madeAtMillis).toISOString(),
          origins,
          ...sections,
          found,
          contacts,
          listed,
          checks: SEND_CHECKS,
          incomplete
        }
        const text = personFileText(sha256, content, yield* sealed(workspaceId, sections.events))
        return {
          workspace: { workspaceId, name, postalAddress },
          email,
          madeAtMillis,
          origins,
          sections,
          found,
          contacts,
          listed,
          incomplete,
          text
        }
      })

    const paged = ({ name, postalAddress, workspaceId }: Workspace, email: string) =>
      Effect.gen(function* () {
        const person: ErasedPerson = { workspaceId, email, addressHash: addressHashOf(crypto, workspaceId, email) }
        const rows = yield* records.read(ON_PAGE, person)
        const messages = yield* written(person, rows.leads, rows.messages)
        const { events, leads, suppressions } = rows
        return {
          workspace: { workspaceId, name, postalAddress },
          origins: originsOf(rows),
          sections: { leads, messages, suppressions, events }
        }
      })

    const NOT_FOUND = refuse("not_found", {}, "Workspace not found.")

    return PersonFiles.of({
      make: (by, email) =>
        Effect.gen(function* () {
          yield* owner(by)
          const workspace = Option.getOrThrow(yield* workspaces.get(by.session.workspaceId))
          const file = yield* made(workspace, email)
          const { email: given, madeAtMillis } = file
          const workspaceId = workspace.workspaceId
          const person = { workspaceId, email: given, addressHash: addressHashOf(crypto, workspaceId, given) }
          yield* atomically(
            Effect.andThen(logBy(by, "export_person", "none"), records.met(person, "access", madeAtMillis))
          )
          return file
        }),
      asked: (by) => Effect.andThen(owner(by), records.open(by.session.workspaceId)),
      behind: (link) =>
        Effect.gen(function* () {
          const campaignLeadId = leadOfLink(crypto, link)
          if (campaignLeadId === null) return Option.none()
          const email = yield* records.emailOf(link.workspaceId, campaignLeadId)
          const workspace = yield* workspaces.get(link.workspaceId)
          if (email === null || Option.isNone(workspace)) return Option.none()
          return Option.some(yield* paged(workspace.value, email))
        }),
      ask: (link, ask) =>
        Effect.gen(function* () {
          const campaignLeadId = leadOfLink(crypto, link)
          if (campaignLeadId === null || (yield* records.emailOf(link.workspaceId, campaignLeadId)) === null)
            return false
          if (ask === "erasure" && !(yield* unsubscribe(link))) return false
          yield* atomically(records.ask(link.workspaceId, campaignLeadId, ask, yield* Clock.currentTimeMillis))
          return true
        }),
      makeFor: (workspaceId, email) =>
        Effect.flatMap(workspaces.get(workspaceId).pipe(orFail(NOT_FOUND)), (workspace) => made(workspace, email))
    })
  })
).pipe(Layer.provide(unsubscribing))
