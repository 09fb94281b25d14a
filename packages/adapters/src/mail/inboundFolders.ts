import type { ListResponse } from "imapflow"

const INBOX = "INBOX"

/** Most folders that are read beside the inbox. */
const JUNK_FOLDERS_MAX = 5

/**
 * How servers and mail programs name the folder of unwanted mail, or of mail from people whom its owner doesn't know, without
 * marks above letters. Reading a folder too many costs little; an answer in a folder too few is lost.
 */
const JUNK = new RegExp(
  [
    "spam|junk|\\bbulk\\b|quarant|quarent|cuarenten|karanten|unerwunscht|werbung\\b|unbekannt|clutter|indesirable|pourriel|correo (?:no deseado|basura)|no deseado|basura",
    "indesiderata|lixo eletr|ongewenst|reclame\\b|uonsket|søppel|soppel|skrap|roskaposti|ramps|szemet|keretlen",
    "nevyziadan|nevyzadan|niechcian|smieci|nezelen|nezeljen|nepozeljn|nedorite|gereksiz|istenmeyen|onemsiz",
    "слежен|спам|нежелат|небажан|нежелан|ανεπιθυμητ|זבל|المزعج|العشوائي|غير المرغوب|هرزنامه|स्पैम|สแปม|ขยะ|thư rac",
    "垃圾|迷惑|スパム|스팸|정크"
  ].join("|"),
  "u"
)

const folded = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[\u0300-\u036F]/g, "")
    .toLowerCase()
    .replaceAll("ı", "i")
    .normalize("NFC")

const isOpenable = ({ flags }: ListResponse): boolean =>
  ![...flags].some((flag) => /^\\(?:noselect|nonexistent)$/i.test(flag))

/** The folders where answers arrive: the inbox, and junk as the server marks it, or as its name says. */
export const inboundFolders = (listed: ReadonlyArray<ListResponse>): ReadonlyArray<string> => [
  INBOX,
  ...listed
    .filter((one) => isOpenable(one) && one.path.toUpperCase() !== INBOX)
    .filter(({ name, specialUse }) => specialUse === "\\Junk" || (specialUse === undefined && JUNK.test(folded(name))))
    .toSorted((one, other) => Number(other.specialUse === "\\Junk") - Number(one.specialUse === "\\Junk"))
    .slice(0, JUNK_FOLDERS_MAX)
    .map(({ path }) => path)
]
