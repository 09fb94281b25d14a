import type { Crypto } from "../../kernel/ports/Crypto.js"
import { type MailContent, valuesOf } from "./mail.js"

/** Carries a message's mark. Reports return the header of the message that they report on. */
export const MARK_HEADER = "X-Outbound-Mark"
const FIELD = MARK_HEADER.toLowerCase()

/** 132 bits: nobody guesses it. */
const MARK_CHARS = 22

/** Most marks that we read from a message. */
const MARKS_MAX = 10

/**
 * A message's mark: a keyed digest of its id, which only this message holds. A sender who quotes it has seen the
 * message, or is a server that handled it. It proves nothing more: the recipient knows it too.
 */
export const markOf = (crypto: Pick<Crypto["Service"], "mac">, workspaceId: string, messageId: string): string =>
  crypto.mac("mail_mark", `${workspaceId} ${messageId}`).slice(0, MARK_CHARS)

export const marksIn = (headers: MailContent["headers"]): ReadonlyArray<string> =>
  valuesOf(headers, FIELD).slice(0, MARKS_MAX)
