import { Array as Arr, Clock, Effect, Option, Semaphore } from "effect"
import { ownDomainOf } from "../../kernel/people/Suffixes.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { Finding, FindingReason, ValueEvidence } from "../../kernel/sequences/evidence.js"
import type { Recipient } from "../../kernel/sequences/Sequence.js"
import type { PageReading, SiteReader } from "../../sources/ports/SiteReader.js"
import { askSources, incredible } from "../../sources/Waterfall.js"
import { SOURCED } from "../../verbs/sourced.js"
import { answerOf, lookInAnswer } from "./answers.js"
import { concluded } from "./concluded.js"
import { ANSWERS_MAX, EvidenceStore, type KeptAnswer } from "./EvidenceStore.js"
import { lookOnPage, type PreparedPage, prepared } from "./pages.js"

/** Most pages that one call reads, and most of one site; what is above stays unchecked, and can be looked at again. */
export const EVIDENCE_PAGES_MAX = 200
export const EVIDENCE_PAGES_OF_SITE_MAX = 10

/** How long one call reads pages, and how many sites at once. */
export const EVIDENCE_SECONDS_MAX = 25
const SITES_AT_ONCE_MAX = 8

/** Sites that one host reads at once for evidence, of all calls together: it is free, so that nobody pays for many. */
const SITES_OF_HOST_MAX = 16

/** Comparing takes up to a millisecond for each value; others of the host have their turn in between. */
const PEOPLE_AT_ONCE = 20

/** The longest that one site is read. */
const SITE_SECONDS_MAX = 20

const turns = Semaphore.makeUnsafe(SITES_OF_HOST_MAX)

/** Verbs that answer with an operation, and whose rows come later. */
const LISTS: ReadonlySet<string> = new Set(["find_intent_of_list", "enrich_people", "verify_emails"])

/** A person whose evidence is to be looked at. */
type Given = Recipient

const unread = (reason: FindingReason): Finding => ({ kind: "unread", reason, datedAt: null, readFrom: null })

/** Whether a look can still tell more: nobody has looked, or it could not be checked. */
const isOpen = ({ finding }: ValueEvidence): boolean => finding === null || finding.kind === "unread"

const isPersonal = ({ variable }: ValueEvidence): boolean => variable === "first_name" || variable === "last_name"

type Look = (evidence: ValueEvidence, recipient: Recipient) => Finding

const NO_REQUEST: Finding = { kind: "absent", reason: "no_request", datedAt: null, readFrom: null }

/** What an answer that is kept says of an excerpt. */
const answered = ({ atMillis, bodies, isOk, verb }: KeptAnswer): Look => {
  if (!SOURCED.has(verb) || !isOk) return () => NO_REQUEST
  if (bodies.length === 0) return () => ({ ...unread("no_outcome"), readFrom: verb })
  const answer = answerOf(bodies)
  const isPending = LISTS.has(verb) && bodies.length === 1
  return (evidence, recipient) => {
    const finding = lookInAnswer(answer, { verb, atMillis }, evidence.excerpt, recipient, isPersonal(evidence))
    return isPending && finding.reason === "no_words" ? { ...unread("no_outcome"), readFrom: verb } : finding
  }
}

/** The site of an address; null: nobody may have a page there that strangers can read. */
const siteOf = (url: string): string | null => (URL.canParse(url) ? ownDomainOf(new URL(url).hostname) : null)

/** A page is of the site that was asked for. */
const isCredible = (reading: PageReading, companyDomain: string): boolean =>
  reading._tag === "Unreadable" || siteOf(reading.page.url) === companyDomain

/** Fragments name a place of a page, and no page. */
const pageOf = (url: string): string => {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  parsed.hash = ""
  return parsed.href
}

const open = (people: ReadonlyArray<Given>): ReadonlyArray<ValueEvidence> =>
  people.flatMap(({ evidence }) => (evidence ?? []).filter(isOpen))

/** Whether any evidence is to be looked at. */
export const hasOpenEvidence = (people: ReadonlyArray<Given>): boolean => open(people).length > 0

/**
 * Checks the evidence of recipients: excerpts against what the named calls of this workspace returned, or what the
 * workspace's reader finds at the named pages. Runs before any transaction, and never fails because of a source: what could
 * not be checked is `unread`, and may be checked again.
 */
export const makeEvidenceCheck = Effect.gen(function* () {
  const store = yield* EvidenceStore

  const readSite = (readers: ReadonlyArray<SiteReader>, companyDomain: string, urls: ReadonlyArray<string>) =>
    Effect.map(
      askSources<SiteReader, ReadonlyArray<PageReading>>(
        { kind: "site_reader", sources: readers, request: { companyDomain, urls }, secondsMax: SITE_SECONDS_MAX },
        (reader) =>
          Effect.flatMap(reader.pages({ companyDomain, urls }), (readings) =>
            readings.length === urls.length && readings.every((one) => isCredible(one, companyDomain))
              ? Effect.succeedSome(readings)
              : Effect.fail(incredible(reader))
          )
      ),
      ({ answer }) => Option.getOrElse(answer, (): ReadonlyArray<PageReading> => [])
    ).pipe(Effect.orElseSucceed((): ReadonlyArray<PageReading> => []))

  /** What each page says of an excerpt, by its address. */
  const readPages = (readers: ReadonlyArray<SiteReader>, urls: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const looks = new Map<string, Finding | PreparedPage>()
      const bySite = new Map<string, Array<string>>()
      for (const url of urls) {
        const site = siteOf(url)
        const others = site === null ? null : (bySite.get(site) ?? [])
        if (readers.length === 0) looks.set(url, unread("no_reader"))
        else if (site === null || others === null) looks.set(url, unread("unsafe"))
        else if (looks.size >= EVIDENCE_PAGES_MAX || others.length >= EVIDENCE_PAGES_OF_SITE_MAX) {
          looks.set(url, unread("too_many"))
        } else {
          bySite.set(site, [...others, url])
          looks.set(url, unread("too_late"))
        }
      }
      const until = (yield* Clock.currentTimeMillis) + EVIDENCE_SECONDS_MAX * 1000
      yield* Effect.forEach(
        bySite,
        ([site, theirs]) =>
          Effect.gen(function* () {
            const left = until - (yield* Clock.currentTimeMillis)
            if (left <= 0) return
            const readings = yield* turns
              .withPermits(1)(readSite(readers, site, theirs))
              .pipe(
                Effect.timeoutOption(left),
                Effect.map(Option.getOrElse((): ReadonlyArray<PageReading> | null => null))
              )
            if (readings === null) return
            for (const [index, url] of theirs.entries()) {
              const reading = readings[index]
              looks.set(
                url,
                reading === undefined
                  ? unread("unreachable")
                  : reading._tag === "Unreadable"
                    ? unread(reading.reason)
                    : prepared(reading.page)
              )
            }
          }),
        { concurrency: SITES_AT_ONCE_MAX, discard: true }
      )
      return looks
    })

  return <R extends Given>(
    workspaceId: string,
    readers: ReadonlyArray<SiteReader> | null,
    people: ReadonlyArray<R>
  ): FromStore<ReadonlyArray<R>> =>
    Effect.gen(function* () {
      const wanted = open(people)
      if (wanted.length === 0) return people
      const requestIds = [...new Set(wanted.flatMap(({ requestId }) => requestId ?? []))]
      const findings = new Map<ValueEvidence, Finding>()
      const byRequest = new Map<string, Array<readonly [ValueEvidence, Recipient]>>()
      for (const person of people) {
        for (const evidence of person.evidence ?? []) {
          if (evidence.requestId === null || !isOpen(evidence)) continue
          const others = byRequest.get(evidence.requestId)
          if (others === undefined) byRequest.set(evidence.requestId, [[evidence, person]])
          else others.push([evidence, person])
        }
      }
      // A part at a time: answers are large, and only what was found in them is kept.
      for (const ids of Arr.chunksOf(requestIds, ANSWERS_MAX)) {
        const answers = new Map((yield* store.answers(workspaceId, ids)).map((one) => [one.requestId, one]))
        for (const id of ids) {
          const kept = answers.get(id)
          const look = kept === undefined ? () => NO_REQUEST : answered(kept)
          for (const [evidence, person] of byRequest.get(id) ?? []) findings.set(evidence, look(evidence, person))
          yield* Effect.yieldNow
        }
      }
      const pages =
        readers === null
          ? null
          : yield* readPages(readers, [...new Set(wanted.flatMap(({ url }) => (url === null ? [] : [pageOf(url)])))])
      const nowMillis = yield* Clock.currentTimeMillis
      const lookedAt = (evidence: ValueEvidence, person: Recipient): Finding | null => {
        const page = evidence.url === null ? undefined : pages?.get(pageOf(evidence.url))
        if (page === undefined) return findings.get(evidence) ?? evidence.finding
        return "page" in page ? lookOnPage(page, evidence.excerpt, person) : page
      }
      const checked = (evidence: ValueEvidence, person: Recipient): ValueEvidence => {
        const finding = isOpen(evidence) ? lookedAt(evidence, person) : null
        return finding === null ? evidence : { ...evidence, finding: concluded(finding, evidence, person, nowMillis) }
      }
      const all: Array<R> = []
      for (const some of Arr.chunksOf(people, PEOPLE_AT_ONCE)) {
        for (const person of some) {
          const evidence = person.evidence ?? []
          all.push(
            evidence.some(isOpen) ? { ...person, evidence: evidence.map((one) => checked(one, person)) } : person
          )
        }
        yield* Effect.yieldNow
      }
      return all
    })
})
