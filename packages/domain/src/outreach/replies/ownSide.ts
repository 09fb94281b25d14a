/** Mail of our own side in a thread: from another mailbox of the workspace, or from an alias or a colleague of ours. */
import { addressesIn } from "../../kernel/people/addresses.js"
import { companyOf } from "../../kernel/people/companyOf.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import type { MailContent } from "../mail/mail.js"
import { isColleague } from "./learnedIds.js"
import { signsOfProgram } from "./receipts.js"
import { isDenied, isPassedOn, writersOf } from "./recognise.js"

/** What the store knows of a mail's writer and of the person whose thread it is in. */
export interface Sides {
  /** Whether the writer's address is a mailbox of the workspace. */
  readonly isMailbox: boolean
  /** The person whom the thread's message went to; empty: erased. */
  readonly leadEmail: string
  /** Their names, as they are known. */
  readonly leadNames: ReadonlyArray<string>
  /** Whether an answer of theirs is known. */
  readonly hasAnswered: boolean
}

const CHARS_MAX = 20_000

/** Shorter names are in other words too. */
const NAME_CHARS_MIN = 3

/** Fields that name whom a mail went to, as mail programs write them above what they quote. */
const RECIPIENTS =
  /^[>\s*|]*(?:to|cc|bcc|an|kopie|à|pour|para|a|aan|til|till|vastaanottaja|do|dw|komu|címzett|кому|копия|宛先|收件人|받는 사람)\s*\*?\s*[:：]/iu

/** What names the writer of what is quoted below it. */
const WRITER =
  /^[>\s*|]*(?:from|von|de|da|van|från|fra|od|lähettäjä|feladó|от|差出人|发件人|보낸 사람)\s*\*?\s*[:：]|[:：]\s*$/iu

/** Whether it quotes words of the person, or of somebody else who is not of our side. */
const quotesOthers = ({ text }: MailContent, of: Sides, isOurs: (address: string) => boolean): boolean => {
  const names = of.leadNames.filter((name) => name.length >= NAME_CHARS_MIN).map((name) => name.toLowerCase())
  return text
    .slice(0, CHARS_MAX)
    .toLowerCase()
    .split("\n")
    .filter((line) => !RECIPIENTS.test(line))
    .some(
      (line) =>
        line.includes(of.leadEmail) ||
        (WRITER.test(line) &&
          (names.some((name) => line.includes(name)) || [...addressesIn(line)].some((address) => !isOurs(address))))
    )
}

/**
 * Whether our own side wrote a mail in a thread of ours. In doubt a person did: where a field names another writer, where it
 * passes on words that are known from nowhere else, and, at an address that is no mailbox, where the person is of the
 * same company as we, or a program sends it on. At a mail provider everybody has our domain, so a mailbox alone is ours there.
 */
export const isOfOurSide = (mail: MailContent, ownAddress: string, of: Sides): boolean => {
  const from = usableEmail(mail.fromEmail ?? "")
  if (from === null || from === of.leadEmail || mail.text.trim() === "") return false
  if (isDenied(mail) || isPassedOn(mail)) return false
  const ours: ReadonlyArray<string> = [from, ownAddress]
  const isOurs = (address: string) => ours.includes(address) || isColleague(address, ownAddress)
  if (!writersOf(mail).every((address) => isOurs(usableEmail(address) ?? address))) return false
  if (!of.hasAnswered && (of.leadEmail === "" || quotesOthers(mail, of, isOurs))) return false
  if (of.isMailbox) return true
  const isTheirs = of.leadEmail === "" || companyOf(of.leadEmail) === companyOf(from)
  return isColleague(from, ownAddress) && !isTheirs && signsOfProgram(mail) === 0
}
