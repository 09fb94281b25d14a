import type { HeadsUnfetched } from "../mail/MailReader.js"

/** How many messages are looked at before what they bring is stored. */
export const PAGE_MAX = 50

/** A message whose head can't be had is asked for so often by itself; then it is passed over. */
export const HEAD_TRIES_MAX = 3

/** For how many folders trouble is remembered. */
const FOLDERS_MAX = 1_000

interface Trouble {
  readonly uidValidity: number
  /** Behind this UID the pages are whole again. */
  readonly untilUid: number
  readonly limit: number
  /** The message that is asked for by itself, and how often it was. */
  readonly uid: number | null
  readonly tries: number
  /** Messages that are asked for no more. */
  readonly without: ReadonlyArray<number>
}

/**
 * How a folder is read in which some message's head can't be had: each failure halves the page, until the message that
 * is at fault stands alone. One that is asked for in vain `HEAD_TRIES_MAX` times is passed over, so that what lies behind
 * it is read.
 */
export const makeNarrowing = () => {
  const folders = new Map<string, Trouble>()
  return {
    /** What the next page of the folder may hold. */
    page: (folder: string): { readonly limit: number; readonly without: ReadonlyArray<number> } => {
      const { limit, without } = folders.get(folder) ?? { limit: PAGE_MAX, without: [] }
      return { limit, without }
    },

    failed: (folder: string, { uidValidity, uids }: HeadsUnfetched): void => {
      const first = uids[0]
      if (first === undefined) return
      if (folders.size >= FOLDERS_MAX) folders.clear()
      const known = folders.get(folder)
      const before = known?.uidValidity === uidValidity ? known : null
      const untilUid = Math.max(before?.untilUid ?? 0, uids.at(-1) ?? first)
      const without = before?.without ?? []
      if (uids.length > 1) {
        const limit = Math.max(1, Math.floor(uids.length / 2))
        folders.set(folder, { uidValidity, untilUid, limit, uid: null, tries: 0, without })
        return
      }
      const tries = (before?.uid === first ? before.tries : 0) + 1
      const isGivenUp = tries >= HEAD_TRIES_MAX
      folders.set(folder, {
        uidValidity,
        untilUid,
        limit: 1,
        uid: isGivenUp ? null : first,
        tries: isGivenUp ? 0 : tries,
        without: isGivenUp ? [...without, first] : without
      })
    },

    /** The folder is read up to there. Which messages were passed over on the way. */
    passed: (folder: string, { lastUid, uidValidity }: { readonly lastUid: number; readonly uidValidity: number }) => {
      const known = folders.get(folder)
      if (known === undefined) return []
      if (known.uidValidity !== uidValidity) {
        folders.delete(folder)
        return []
      }
      const skipped = known.without.filter((uid) => uid <= lastUid)
      if (lastUid >= known.untilUid) folders.delete(folder)
      else folders.set(folder, { ...known, without: known.without.filter((uid) => uid > lastUid) })
      return skipped
    }
  }
}
