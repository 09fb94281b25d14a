import type { Crypto } from "../../kernel/ports/Crypto.js"
import { type MailHeader, valuesOf } from "./mail.js"

/**
 * The header of a message that says which it is, and proves it. Servers return it with their reports, also where they
 * replaced the `Message-ID`.
 */
export interface MailMark {
  /** A name of its workspace's own: one name for all would make everybody's mail one sender's. */
  readonly header: string
  readonly value: string
}

type Mac = Pick<Crypto["Service"], "mac">

/** 132 bits: nobody guesses it. */
const PROOF_CHARS = 22

/** Most marks that we read from a message. */
const MARKS_MAX = 10

/** Formerly these two names were in everybody's mail. Reports on it still come, and copies of it are kept. */
const OLD_PROOF = "x-outbound-mark"
export const OLD_ID = "x-outbound-message-id"

const CONSONANTS = "bcdfghjklmnprstvwz"
const VOWELS = "aeiou"
const SYLLABLES_MIN = 4
const SYLLABLES_MAX = 6

/** The name of the header in a workspace's mail: letters that say nothing, always the same for it, and another for each. */
export const markHeader = (crypto: Mac, workspaceId: string): string => {
  const digest = Array.from(crypto.mac("mail_mark", `header ${workspaceId}`), (char) => char.charCodeAt(0))
  const at = (index: number): number => (digest[2 * index] ?? 0) * 128 + (digest[2 * index + 1] ?? 0)
  const syllables = SYLLABLES_MIN + (at(0) % (SYLLABLES_MAX - SYLLABLES_MIN + 1))
  const name = Array.from({ length: syllables }, (_, index) => {
    const drawn = at(index + 1)
    const consonant = CONSONANTS[drawn % CONSONANTS.length] ?? ""
    return `${consonant}${VOWELS[Math.floor(drawn / CONSONANTS.length) % VOWELS.length] ?? ""}`
  }).join("")
  return `X-${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/**
 * A keyed digest of a message's id, which only this message holds. A sender who quotes it has seen the message, or is a
 * server that handled it. It proves nothing more: the recipient knows it too.
 */
export const proofOf = (crypto: Mac, workspaceId: string, messageId: string): string =>
  crypto.mac("mail_mark", `${workspaceId} ${messageId}`).slice(0, PROOF_CHARS)

/** The mark of a message. Its value is short enough to stand in one line: servers that break lines lose nothing of it. */
export const markOf = (crypto: Mac, workspaceId: string, messageId: string): MailMark => ({
  header: markHeader(crypto, workspaceId),
  value: `${messageId}.${proofOf(crypto, workspaceId, messageId)}`
})

/** The keyed digest of a letter between own mailboxes: another one than a message's, so that neither passes for the other. */
const letterProofOf = (crypto: Mac, workspaceId: string, letterId: string): string =>
  proofOf(crypto, workspaceId, `letter ${letterId}`)

/** The mark of a letter that goes from one own mailbox to another: it is nobody's answer and no message of a campaign. */
export const letterMarkOf = (crypto: Mac, workspaceId: string, letterId: string): MailMark => ({
  header: markHeader(crypto, workspaceId),
  value: `${letterId}.${letterProofOf(crypto, workspaceId, letterId)}`
})

const MARK = /^([0-9a-f-]{36})\.([\w-]{22})$/i

const read = (headers: ReadonlyArray<MailHeader>, header: string) =>
  valuesOf(headers, header.toLowerCase())
    .slice(0, MARKS_MAX)
    .flatMap((value) => {
      const [, id, proof] = MARK.exec(value) ?? []
      return id === undefined || proof === undefined ? [] : [{ id: id.toLowerCase(), proof }]
    })

/** The ids of messages in marks under this name. */
export const markedIds = (headers: ReadonlyArray<MailHeader>, header: string): ReadonlyArray<string> =>
  read(headers, header).map(({ id }) => id)

/** The letter between own mailboxes that a message is; null: it is none of this workspace's. */
export const letterIn = (crypto: Mac, workspaceId: string, headers: ReadonlyArray<MailHeader>): string | null =>
  read(headers, markHeader(crypto, workspaceId)).find(
    ({ id, proof }) => proof === letterProofOf(crypto, workspaceId, id)
  )?.id ?? null

/** What marks under this name, and those of former times, bring as proof. */
export const proofsIn = (headers: ReadonlyArray<MailHeader>, header: string): ReadonlyArray<string> => [
  ...read(headers, header).map(({ proof }) => proof),
  ...valuesOf(headers, OLD_PROOF).slice(0, MARKS_MAX)
]
