import { Context, Effect, Layer } from "effect"
import type { Issue } from "../../kernel/errors/Wire.js"
import { countryOfCode } from "../../kernel/people/Countries.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import {
  OWN_TEXTS_MAX,
  type OwnNotice,
  PART_CHARS_MAX,
  WORDS_PLACES,
  type WordsSettings
} from "../../kernel/words/notice.js"
import { isRegion, NOTICE_PARTS, REST } from "../../kernel/words/regions.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { difference, freshOwner, makeLogBy, mend } from "../access.js"
import type { Changed, ControlRefused } from "../Control.js"
import type { SignedIn } from "../users/UserStore.js"

/** A change of what recipients are told by their country. */
export type WordsChange =
  | { readonly place: WordsSettings["place"] }
  | { readonly write: OwnNotice }
  /** Ours take its place, where there are any. */
  | { readonly remove: Pick<OwnNotice, "where" | "language"> }

/** What recipients are told by their country, for signed-in people. */
export class RecipientWords extends Context.Service<
  RecipientWords,
  {
    readonly words: (by: SignedIn) => FromStore<WordsSettings>
    /** For owners, after a fresh sign-in. It holds for what is approved from then on. */
    readonly change: (by: SignedIn, change: WordsChange) => FromStore<Changed, ControlRefused>
  }
>()("@outbound/domain/control/words/RecipientWords") {}

/** Control characters would change how the message is laid out. */
const UNPRINTABLE = /[^\P{C}]/u

/** Whether words can be for this: a region, the rest, or a country's code. */
export const isWordsPlace = (where: string): boolean =>
  isRegion(where) || where === REST || (/^[A-Z]{2}$/.test(where) && countryOfCode(where) !== null)

const noticeIssues = ({ parts, where }: OwnNotice): ReadonlyArray<Issue> => [
  ...(isWordsPlace(where) ? [] : [{ path: "where", message: "must be a region, a country's two letters, or rest" }]),
  ...NOTICE_PARTS.flatMap((part): ReadonlyArray<Issue> => {
    const text = parts[part]
    if (text.length > PART_CHARS_MAX) return [{ path: part, message: `must have at most ${PART_CHARS_MAX} characters` }]
    return UNPRINTABLE.test(text) ? [{ path: part, message: "must be one line of text" }] : []
  }),
  ...(NOTICE_PARTS.some((part) => parts[part].trim() !== "")
    ? []
    : [{ path: "purpose", message: "must say something, or another part must" }])
]

const isOf =
  ({ language, where }: Pick<OwnNotice, "where" | "language">) =>
  (one: OwnNotice): boolean =>
    one.where === where && one.language === language

const after = (before: WordsSettings, change: WordsChange): WordsSettings => {
  if ("place" in change) return { ...before, place: change.place }
  const of = "write" in change ? change.write : change.remove
  const others = before.own.filter((one) => !isOf(of)(one))
  return { ...before, own: "write" in change ? [...others, change.write] : others }
}

const issuesOf = (change: WordsChange, settings: WordsSettings): ReadonlyArray<Issue> => [
  ...("place" in change && !WORDS_PLACES.includes(change.place)
    ? [{ path: "place", message: `must be one of ${WORDS_PLACES.join(", ")}` }]
    : []),
  ...("write" in change ? noticeIssues(change.write) : []),
  ...(settings.own.length > OWN_TEXTS_MAX
    ? [{ path: "where", message: `leaves more than ${OWN_TEXTS_MAX} texts of your own` }]
    : [])
]

/** What the control log shows: which texts there are, each by its own words. */
const shown = ({ own, place }: WordsSettings): Readonly<Record<string, unknown>> => ({
  place,
  ...Object.fromEntries(own.map(({ language, parts, where }) => [`${where}_${language}`, parts]))
})

export const layer = Layer.effect(
  RecipientWords,
  Effect.gen(function* () {
    const workspaces = yield* WorkspaceStore
    const logBy = yield* makeLogBy
    const { atomically } = yield* UnitOfWork
    return RecipientWords.of({
      words: (by) => workspaces.words(by.session.workspaceId),
      change: (by, change) =>
        Effect.gen(function* () {
          yield* freshOwner(by)
          const { workspaceId } = by.session
          // Two people who change them at once: the second sees what the first made of them.
          yield* workspaces.lock(workspaceId)
          const before = yield* workspaces.words(workspaceId)
          const next = after(before, change)
          yield* mend(issuesOf(change, next))
          yield* workspaces.setWords(workspaceId, next)
          const said = difference(shown(before), shown(next))
          return { controlLogId: yield* logBy(by, "set_words", "loosen", said), direction: "loosen" as const }
        }).pipe(atomically)
    })
  })
)
