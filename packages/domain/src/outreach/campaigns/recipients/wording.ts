import type { WordsShown } from "../../../calls/approvals/Snapshot.js"
import type { LeadOrigin, OriginKind } from "../../../kernel/people/origins.js"
import type { Recipient } from "../../../kernel/sequences/Sequence.js"
import type { Workspace } from "../../../kernel/workspaces/WorkspaceStore.js"
import { languageOfCountry, type RecipientLanguage } from "../../../kernel/words/languages.js"
import { type LeadWords, type Notice, noticeFor, type WordsSettings } from "../../../kernel/words/notice.js"
import { recipientPlace, type RecipientPlace } from "../../../kernel/words/recipientPlace.js"

/** Whom words are for. */
export interface WordedPerson extends Pick<Recipient, "custom" | "email"> {
  readonly origin: LeadOrigin | null
}

/** How one person's messages end, and why so. */
export interface Worded {
  readonly place: RecipientPlace
  readonly language: RecipientLanguage
  /** Null: nothing is said to anybody, or their country has no words. */
  readonly notice: (Notice & { readonly id: string }) | null
  /** As the lead keeps it. Null: in English, without a notice. */
  readonly words: LeadWords | null
}

/** What decides a campaign's words. */
export interface WordsFacts {
  readonly settings: WordsSettings
  readonly workspace: Pick<Workspace, "name" | "postalAddress">
}

/** Enough of a digest to name a text among those of one approval. */
const ID_CHARS = 16

/** An origin that is not kept is said to be the sender's own doing, which claims least of others. */
const kindOf = (origin: LeadOrigin | null): OriginKind => origin?.kind ?? "given"

/**
 * The words of each person of a campaign. Pure: the approval shows what this says, the launch asks it again, and refuses
 * if the answer is another one.
 */
export const wordsUnder =
  ({ settings, workspace }: WordsFacts, sha256: (text: string) => string) =>
  (person: WordedPerson): Worded => {
    const place = recipientPlace(person, person.origin)
    const language = languageOfCountry(place.country)
    const sender = { name: workspace.name, postalAddress: workspace.postalAddress ?? "" }
    const found =
      settings.place === "off" ? null : noticeFor(settings, place, { origin: kindOf(person.origin), sender })
    const notice = found === null ? null : { ...found, id: sha256(found.text).slice(0, ID_CHARS) }
    const isPlain = language === "en" && notice === null
    return {
      place,
      language,
      notice,
      words: isPlain ? null : { language, notice: notice?.id ?? null, isLinked: settings.place === "link" }
    }
  }

const keyOf = ({ language, notice, place }: Worded): string => [place.country, notice?.where, language].join(" ")

/** What an approval shows of the words of its people. */
export const wordsShown = ({ settings }: Pick<WordsFacts, "settings">, people: ReadonlyArray<Worded>): WordsShown => {
  type Line = { -readonly [K in keyof WordsShown["countries"][number]]: WordsShown["countries"][number][K] }
  const countries = new Map<string, Line>()
  const texts: Record<string, string> = {}
  const missing = new Map<string, WordsShown["missing"][number]>()
  for (const one of people) {
    const { language, notice, place } = one
    const line = countries.get(keyOf(one)) ?? {
      country: place.country,
      people: 0,
      known_by: { person: 0, company: 0, domain: 0 },
      words_of: notice?.where ?? null,
      language
    }
    line.people += 1
    if (place.knownBy !== null) {
      line.known_by = { ...line.known_by, [place.knownBy]: line.known_by[place.knownBy] + 1 }
    }
    countries.set(keyOf(one), line)
    if (notice === null) continue
    texts[notice.id] = notice.text
    if (notice.missing.length === 0) continue
    const { language: written, missing: parts, where } = notice
    missing.set(`${where} ${written}`, { words_of: where, language: written, parts })
  }
  return {
    place: settings.place,
    countries: [...countries.values()].toSorted(
      (one, other) => other.people - one.people || ((one.country ?? "") < (other.country ?? "") ? -1 : 1)
    ),
    missing: [...missing.values()],
    texts
  }
}

/** Where people's addresses came from, by kind. */
export const originsShown = (people: ReadonlyArray<WordedPerson>) => {
  const counts = new Map<OriginKind, number>()
  for (const { origin } of people) {
    const kind = kindOf(origin)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].map(([kind, people]) => ({ kind, people })).toSorted((one, other) => other.people - one.people)
}
