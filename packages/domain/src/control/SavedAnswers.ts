import { Clock, Context, Effect, Layer } from "effect"
import { Crypto } from "../kernel/ports/Crypto.js"
import { Ids } from "../kernel/ports/Ids.js"
import { type FromStore, UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "../kernel/workspaces/WorkspaceStore.js"
import { SAVED_ANSWERS_MAX, type SavedText, savedTextIssues } from "../outreach/replies/savedAnswer.js"
import { type SavedAnswer, SavedAnswerStore } from "../outreach/replies/SavedAnswerStore.js"
import { makeLogBy, mend, refused } from "./access.js"
import type { ControlRefused } from "./Control.js"
import type { SignedIn } from "./users/UserStore.js"

/** A saved answer as its form showed it: a change of what is no longer so is refused. */
export interface Seen {
  readonly savedAnswerId: string
  readonly version: string
}

/** A saved answer, and what tells whether it has changed. */
export type Versioned = SavedAnswer & Pick<Seen, "version">

/** The texts that people save for their answers. Owners and members write them; each change is in the control log. */
export class SavedAnswers extends Context.Service<
  SavedAnswers,
  {
    readonly list: (workspaceId: string) => FromStore<ReadonlyArray<Versioned>>
    /** `seen` null: a new one. */
    readonly save: (by: SignedIn, seen: Seen | null, text: SavedText) => FromStore<void, ControlRefused>
    /** One that is gone already stays gone. */
    readonly remove: (by: SignedIn, seen: Seen) => FromStore<void, ControlRefused>
  }
>()("@outbound/domain/control/SavedAnswers") {}

const CHANGED = "was changed by somebody else meanwhile. Look at it, and save again if yours is still right"

export const layer = Layer.effect(
  SavedAnswers,
  Effect.gen(function* () {
    const crypto = yield* Crypto
    const ids = yield* Ids
    const logBy = yield* makeLogBy
    const store = yield* SavedAnswerStore
    const workspaces = yield* WorkspaceStore
    const { atomically } = yield* UnitOfWork

    const digestOf = ({ body, title }: SavedText): string => crypto.sha256Hex(JSON.stringify([title, body]))
    /** The log is never rewritten, so it has the text's digest: the text may name a person, and is erased with them. */
    const shown = (text: SavedText) => ({
      title: text.title,
      characters: text.body.length,
      text_sha256: digestOf(text)
    })

    const list = (workspaceId: string) =>
      Effect.map(store.list(workspaceId), (found) => found.map((one) => ({ ...one, version: digestOf(one) })))

    /** What is saved now, once nobody else can change it; every change is a sender's. */
    const locked = (by: SignedIn) =>
      Effect.gen(function* () {
        if (by.role !== "owner" && by.role !== "member") return yield* refused("owner_required")
        const { workspaceId } = by.session
        yield* workspaces.lock(workspaceId)
        return { workspaceId, found: yield* list(workspaceId) }
      })

    return SavedAnswers.of({
      list,
      save: (by, seen, text) =>
        Effect.gen(function* () {
          const { found, workspaceId } = yield* locked(by)
          const before = found.find(({ savedAnswerId }) => savedAnswerId === seen?.savedAnswerId)
          if (seen !== null && before === undefined) return yield* refused("not_found")
          const title = text.title.toLowerCase()
          const isTaken = found.some((one) => one !== before && one.title.toLowerCase() === title)
          yield* mend([
            ...savedTextIssues(text),
            ...(isTaken ? [{ path: "title", message: "is another saved answer’s" }] : []),
            ...(seen !== null && before?.version !== seen.version ? [{ path: "text", message: CHANGED }] : []),
            ...(seen === null && found.length >= SAVED_ANSWERS_MAX
              ? [{ path: "title", message: `would be one more than ${SAVED_ANSWERS_MAX}; remove one first` }]
              : [])
          ])
          if (before !== undefined && before.version === digestOf(text)) return
          const nowMillis = yield* Clock.currentTimeMillis
          const savedAnswerId = before?.savedAnswerId ?? ids.next(nowMillis)
          const { body } = text
          const saved = { workspaceId, savedAnswerId, title: text.title, body, savedBy: by.user.email }
          yield* store.put({ ...saved, savedAtMillis: nowMillis })
          yield* logBy(by, "save_answer", "none", {
            before: before === undefined ? {} : shown(before),
            after: shown(text)
          })
        }).pipe(atomically),
      remove: (by, seen) =>
        Effect.gen(function* () {
          const { found, workspaceId } = yield* locked(by)
          const before = found.find(({ savedAnswerId }) => savedAnswerId === seen.savedAnswerId)
          if (before === undefined) return
          yield* mend(before.version === seen.version ? [] : [{ path: "text", message: CHANGED }])
          yield* store.remove(workspaceId, seen.savedAnswerId)
          yield* logBy(by, "remove_saved_answer", "none", { before: shown(before) })
        }).pipe(atomically)
    })
  })
)
