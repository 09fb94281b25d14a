import type { HeadsUnfetched } from "../mail/MailReader.js"

/** Messages read per page; a page's results are stored before the next. */
export const PAGE_MAX = 50

/** Tries for a single message whose header can't be fetched; then it is skipped. */
export const HEAD_TRIES_MAX = 3

/** Most folders whose trouble is remembered. */
const FOLDERS_MAX = 1_000

interface Trouble {
  readonly uidValidity: number
  /** After this UID, full pages resume. */
  readonly untilUid: number
  readonly limit: number
  /** The message that is fetched alone, and how often it was tried. */
  readonly uid: number | null
  readonly tries: number
  /** Skipped messages. */
  readonly without: ReadonlyArray<number>
}

/**
 * Reads a folder past a message whose header can't be fetched. Each failure halves the page until the message is alone.
 * After `HEAD_TRIES_MAX` failures it is skipped, so that later messages are read.
 */
export const makeNarrowing = () => {
  const folders = new Map<string, Trouble>()
  return {
    /** The limits of the folder's next page. */
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

    /** Records that the folder was read up to this cursor. Returns the messages skipped on the way. */
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
