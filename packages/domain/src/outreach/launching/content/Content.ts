import { Effect } from "effect"
import type { Approval } from "../../../calls/approvals/ApprovalStore.js"
import {
  type ContentSummary,
  HOSTS_SHOWN_MAX,
  type LookKind,
  type WordsShown
} from "../../../calls/approvals/Snapshot.js"
import { canonicalJson } from "../../../kernel/canonical.js"
import { Crypto } from "../../../kernel/ports/Crypto.js"
import { Ids } from "../../../kernel/ports/Ids.js"
import { leftoverIn } from "../../../kernel/people/leftovers.js"
import type { ValueEvidence } from "../../../kernel/sequences/evidence.js"
import type { Recipient, SequenceStep } from "../../../kernel/sequences/Sequence.js"
import {
  filledIn,
  ownValue,
  piecesOf,
  type TemplatePiece,
  textsOf,
  variablesIn
} from "../../../kernel/sequences/template.js"
import { areMarked, countMarks, markedVariables, marksOf } from "../../evidence/marks.js"
import type { Campaign } from "../../campaigns/CampaignStore.js"
import { hoursUnder } from "../../campaigns/recipientHours.js"
import { ContentStore, type ShownPerson } from "./ContentStore.js"
import { boundEvidence, looksOfMarks, shownEvidence, withMarks } from "./shownEvidence.js"
import type { CampaignContext } from "../CampaignContext.js"
import type { LeadOrigin } from "../../../kernel/people/origins.js"
import type { LeadWords } from "../../../kernel/words/notice.js"
import { WorkspaceStore } from "../../../kernel/workspaces/WorkspaceStore.js"
import { originsShown, type WordsFacts, wordsShown, wordsUnder } from "../../campaigns/recipients/wording.js"
import { hostsIn } from "../../../kernel/text/hosts.js"
import { signKindsIn } from "../../../kernel/text/signs.js"
import { recipientName } from "../../sending/compose.js"

/** Most merged places that one examination reads. A sequence with more of them is not examined in full, and says so. */
const PLACES_MAX = 250_000

/** A value is long beside its neighbours from this many times their median on, and this many characters more. */
const LONG_TIMES = 4
const LONG_MORE_CHARS = 40
/** Without neighbours, a value of this many characters is long. */
const LONG_ALONE_CHARS = 300

/** A value that one message has alone deserves a look where at most this share of the messages has one of its own. */
const RARE_SHARE = 0.02
const RARE_MIN = 3

/** What of a person's messages deserves a look. */
export interface Looks {
  readonly looks: ReadonlyArray<LookKind>
  /** The hosts of links and addresses that only the merged text has. */
  readonly hosts: ReadonlyArray<string>
}

export interface Examined {
  readonly summary: Omit<ContentSummary, "digest" | "overlapping_people">
  /** In the order of the people. */
  readonly people: ReadonlyArray<Looks>
}

/** A stretch of a template without white space of its own: a link can't be longer. */
type Cluster = ReadonlyArray<TemplatePiece>

const isVariable = (piece: TemplatePiece): boolean => typeof piece !== "string"

/** The stretches of a text that hold a variable; the text around them is the template's own. */
const clustersOf = (text: string): ReadonlyArray<Cluster> => {
  const clusters: Array<Array<TemplatePiece>> = [[]]
  for (const piece of piecesOf(text)) {
    if (typeof piece !== "string") clusters.at(-1)?.push(piece)
    else {
      const [first = "", ...others] = piece.split(/[^\S\uFEFF]+/u)
      clusters.at(-1)?.push(first)
      for (const other of others) clusters.push([other])
    }
  }
  return clusters.filter((cluster) => cluster.some(isVariable))
}

const medianOf = (lengths: ReadonlyArray<number>): number => lengths.toSorted((a, b) => a - b)[lengths.length >> 1] ?? 0

/** Remembers what a function said of a text: most values stand in many messages. */
const remembered = <A>(of: (text: string) => A): ((text: string) => A) => {
  const known = new Map<string, A>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const now = of(text)
    known.set(text, now)
    return now
  }
}

/** What one variable holds in everybody's messages. */
const examineVariable = (sequence: ReadonlyArray<SequenceStep>, name: string, people: ReadonlyArray<Recipient>) => {
  const expressions = variablesIn(sequence).filter((variable) => variable.name === name)
  const own = people.map((person) => ownValue(person, name))
  const counts = new Map<string, number>()
  for (const value of own) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  const withoutValue = own.filter((value) => value === null).length
  const fallbacks = [...new Set(expressions.flatMap(({ fallback }) => fallback ?? []))]
  const texts = new Set([...counts.keys(), ...(withoutValue === 0 ? [] : fallbacks)])
  const once = [...counts.values()].filter((count) => count === 1).length
  const median = medianOf(own.map((value) => (value ?? fallbacks[0] ?? "").length))
  const isLong = (value: string): boolean =>
    people.length > 1
      ? value.length > LONG_TIMES * median && value.length > median + LONG_MORE_CHARS
      : value.length > LONG_ALONE_CHARS
  const isRare = people.length > 1 && once <= Math.max(RARE_MIN, people.length * RARE_SHARE) && once < people.length
  return {
    line: {
      name,
      fallbacks,
      distinct_values: texts.size,
      longest: Math.max(0, ...[...texts].map((text) => [...text].length)),
      only_once: once,
      without_value: withoutValue
    },
    own,
    isLong,
    isRare: (value: string): boolean => isRare && counts.get(value) === 1
  }
}

/**
 * Finds what deserves a look in the merged messages: links and addresses by host, values much longer than their
 * neighbours, characters that can't be seen for what they are, and values that only one message has.
 */
export const examine = (sequence: ReadonlyArray<SequenceStep>, people: ReadonlyArray<Recipient>): Examined => {
  const names = [...new Set(variablesIn(sequence).map(({ name }) => name))]
  const variables = names.map((name) => examineVariable(sequence, name, people))
  const texts = textsOf(sequence)
  const clusters = [
    ...new Map(texts.flatMap(clustersOf).map((cluster) => [JSON.stringify(cluster), cluster] as const)).values()
  ]
  const isComplete = clusters.length * people.length <= PLACES_MAX
  const merged = isComplete ? clusters : clusters.slice(0, Math.floor(PLACES_MAX / Math.max(1, people.length)))
  const hostsOf = remembered(hostsIn)
  const signsOf = remembered(signKindsIn)
  const hasLeftover = remembered((value) => leftoverIn(value) !== null)
  const inTemplates = new Set(
    texts.flatMap((text) =>
      hostsIn(
        piecesOf(text)
          .filter((piece) => !isVariable(piece))
          .join(" ")
      )
    )
  )
  const hostCounts = new Map([...inTemplates].map((host) => [host, 0]))

  const looksOf = (person: Recipient, index: number): Looks => {
    const looks = new Set<LookKind>()
    const hosts = new Set<string>()
    for (const cluster of merged) {
      const text = cluster.map((piece) => (typeof piece === "string" ? piece : filledIn(piece, person))).join("")
      // Their own address is no surprise to them.
      for (const host of hostsOf(text.replaceAll(person.email, ""))) if (!inTemplates.has(host)) hosts.add(host)
      for (const sign of signsOf(text)) looks.add(sign)
    }
    for (const sign of signsOf(`${recipientName(person) ?? ""} ${person.email}`)) looks.add(sign)
    for (const { isLong, isRare, own } of variables) {
      const value = own[index] ?? null
      if (value === null) continue
      if (isLong(value)) looks.add("long")
      if (isRare(value)) looks.add("rare")
      if (hasLeftover(value)) looks.add("placeholder")
      // Of a value that was not merged everywhere, at least itself is read.
      if (!isComplete) for (const host of hostsOf(value)) if (!inTemplates.has(host)) hosts.add(host)
    }
    if (hosts.size > 0) looks.add("link")
    for (const host of hosts) hostCounts.set(host, (hostCounts.get(host) ?? 0) + 1)
    return { looks: [...looks].sort(), hosts: [...hosts].sort() }
  }

  const looked = people.map(looksOf)
  const looks: Partial<Record<LookKind, number>> = {}
  for (const { looks: theirs } of looked) for (const kind of theirs) looks[kind] = (looks[kind] ?? 0) + 1
  const hosts = [...hostCounts]
    .map(([host, count]) => ({ host, in_templates: inTemplates.has(host), people: count }))
    // What all messages have, then what the fewest have.
    .toSorted(
      (a, b) => Number(b.in_templates) - Number(a.in_templates) || a.people - b.people || (a.host < b.host ? -1 : 1)
    )
  return {
    summary: {
      variables: variables.map(({ line }) => line),
      hosts: hosts.slice(0, HOSTS_SHOWN_MAX),
      hosts_total: hosts.length,
      looks,
      is_complete: isComplete
    },
    people: looked
  }
}

/** A person whose messages an approval covers. */
export interface Addressed extends Recipient {
  readonly addressHash: string
  readonly origin: LeadOrigin | null
}

/** A campaign with what its approvals show beside its texts. */
type Around = Pick<CampaignContext, "campaign" | "workspace" | "rules">

const CUSTOM = "custom."

/** Only what the messages are merged from. A blank value is none: its fallback is sent. */
const usedOf = (sequence: ReadonlyArray<SequenceStep>) => {
  const all = [...new Set(variablesIn(sequence).map(({ name }) => name))]
  const names = all.filter((name) => name.startsWith(CUSTOM))
  return (recipient: Recipient): Used => {
    const { companyName, custom, email, firstName, lastName } = recipient
    const evidence = (recipient.evidence ?? []).filter(
      ({ variable }) => all.includes(variable) && ownValue(recipient, variable) !== null
    )
    return {
      email,
      firstName,
      lastName,
      companyName,
      custom: Object.fromEntries(
        names.flatMap((name) => {
          const value = ownValue({ companyName, custom, email, firstName, lastName }, name)
          return value === null ? [] : [[name.slice(CUSTOM.length), value]]
        })
      ),
      evidence: evidence.length === 0 ? null : evidence
    }
  }
}

/** A person with what the messages use of them. */
interface Used extends Recipient {
  readonly evidence: ReadonlyArray<ValueEvidence> | null
}

/** What an approval shows of a content, and the people to store with it. */
export interface Shown {
  readonly summary: ContentSummary
  readonly words: WordsShown
  readonly origins: ReturnType<typeof originsShown>
  readonly people: ReadonlyArray<ShownPerson>
}

/**
 * Binds an approval to each merged message: what people are shown and what is executed are the same values
 * (contract: approvals, binding).
 */
export const makeContent = Effect.gen(function* () {
  const store = yield* ContentStore
  const crypto = yield* Crypto
  const ids = yield* Ids
  const workspaces = yield* WorkspaceStore

  /** What decides the words of a campaign's people now. */
  const factsOf = ({ workspace }: Around) =>
    Effect.map(workspaces.words(workspace.workspaceId), (settings): WordsFacts => ({ settings, workspace }))

  const digestsOf = ({ schedule, sequence }: Pick<Campaign, "schedule" | "sequence">, facts: WordsFacts) => {
    const used = usedOf(sequence)
    const wordsOf = wordsUnder(facts, crypto.sha256Hex)
    return (recipient: Addressed) => {
      const person = used(recipient)
      const { companyName, custom, email, evidence, firstName, lastName } = person
      const hours = hoursUnder(schedule, recipient)
      const worded = wordsOf(recipient)
      const bound = [
        email,
        firstName,
        lastName,
        companyName,
        custom,
        ...(hours === null ? [] : [hours]),
        ...(worded.words === null ? [] : [{ ...worded.words }]),
        ...(evidence === null ? [] : [{ evidence: evidence.map(boundEvidence) }])
      ]
      return { person, worded, digest: crypto.mac("content", canonicalJson(bound)) }
    }
  }

  /** Examines what would be sent to these people. `around.rules`: what the workspace asks of their values. */
  const shown = (around: Around, recipients: ReadonlyArray<Addressed>, nowMillis: number) =>
    Effect.zipWith(
      store.overlapping(
        around.campaign.workspaceId,
        around.campaign.campaignId,
        recipients.map(({ addressHash }) => addressHash)
      ),
      factsOf(around),
      (overlapping_people, facts): Shown => {
        const { campaign } = around
        const digestOf = digestsOf(campaign, facts)
        const read = recipients.map((recipient) => ({ ...digestOf(recipient), addressHash: recipient.addressHash }))
        const { people, summary } = examine(
          campaign.sequence,
          read.map(({ person }) => person)
        )
        const variables = markedVariables(campaign.sequence)
        const marked = areMarked(
          around.rules.evidence,
          read.map(({ person }) => person)
        )
          ? read.map(({ person }) => marksOf(person, variables, nowMillis))
          : null
        const marks = (marked ?? []).map((theirs) => theirs.map(({ mark }) => mark))
        return {
          summary: {
            ...summary,
            looks: withMarks(summary.looks, marks),
            ...(marked === null ? {} : { evidence: countMarks(marks.flat()) }),
            digest: crypto.mac("content", read.map(({ digest }) => digest).join("\n")),
            overlapping_people
          },
          words: wordsShown(
            facts,
            read.map(({ worded }) => worded)
          ),
          origins: originsShown(recipients),
          people: read.map(({ addressHash, digest, person, worded }, index) => ({
            ...person,
            words: worded.words,
            shownId: ids.next(nowMillis),
            addressHash,
            digest,
            looks: [...looksOfMarks(marks[index] ?? []), ...(people[index]?.looks ?? [])].sort(),
            hosts: people[index]?.hosts ?? [],
            evidence: shownEvidence(marked?.[index] ?? [])
          }))
        }
      }
    )

  /** Stores what an approval shows, and drops what replaced ones of its target showed. */
  const keep = (workspaceId: string, approvalId: string, target: string, { people }: Shown) =>
    Effect.andThen(store.forget(workspaceId, target), store.insert(workspaceId, approvalId, people))

  /** Whether the approval showed each of these people with exactly these values. Fewer people than shown are covered. */
  const covers = (approval: Approval, around: Around, recipients: ReadonlyArray<Addressed>) =>
    Effect.zipWith(
      store.digests(around.workspace.workspaceId, approval.approvalId),
      factsOf(around),
      (digests, facts) => {
        const digestOf = digestsOf(around.campaign, facts)
        return recipients.every((recipient) => digests.get(recipient.addressHash) === digestOf(recipient).digest)
      }
    )

  /** How each of these people's messages end, by the keyed hash of the address. What `covers` compared. */
  const wordsFor = (around: Around, recipients: ReadonlyArray<Addressed>) =>
    Effect.map(factsOf(around), (facts): ReadonlyMap<string, LeadWords | null> => {
      const wordsOf = wordsUnder(facts, crypto.sha256Hex)
      return new Map(recipients.map((one) => [one.addressHash, wordsOf(one).words]))
    })

  return { shown, keep, covers, wordsFor }
})

/** The preview's members about the content (contract: approvals, preview). */
export const contentPreview = (summary: ContentSummary) => ({
  variables: summary.variables.map(({ distinct_values, longest, name }) => ({ name, distinct_values, longest })),
  links: summary.hosts.map(({ host }) => host),
  overlapping_people: summary.overlapping_people,
  ...(summary.looks.placeholder === undefined ? {} : { placeholders: summary.looks.placeholder }),
  ...(summary.evidence === undefined ? {} : { evidence: summary.evidence })
})
