/** How mail with a DMARC aggregate report is known by its header. */
import { type MailHead, valueOf } from "./mail.js"

const SUBJECT_CHARS_MAX = 1_000
const FIELD_CHARS_MAX = 2_000

/** The subject of RFC 7489 §7.2.1.1, with what some reporters write before it. */
const SUBJECT = /^\s*(?:\[[^\]]{1,40}\]\s*)?(?:dmarc aggregate )?report[ -]domain\s*:\s*\S[^]*\bsubmitter\s*:/i

/** The name of the file: receiver, policy domain, begin, end, perhaps an id. */
const FILE =
  /[^\s!"<>=;]{1,255}![^\s!"<>=;]{1,255}!\d{9,11}!\d{9,11}(?:![^\s"<>;]{0,255}?)?\.(?:xml(?:\.gz)?|gz|zip)(?:"|;|\s|$)/i

/** Whether the name of a file is that of an aggregate report. */
export const isReportFile = (name: string): boolean => FILE.test(name.slice(0, FIELD_CHARS_MAX))

const fileFields = ({ headers }: MailHead): string =>
  `${valueOf(headers, "content-type").slice(0, FIELD_CHARS_MAX)} ${valueOf(headers, "content-disposition").slice(0, FIELD_CHARS_MAX)}`

/** Whether its header says that it is an aggregate report: then it is no person's answer, readable or not. */
export const isReportHead = (head: MailHead): boolean =>
  SUBJECT.test(head.subject.slice(0, SUBJECT_CHARS_MAX)) || isReportFile(fileFields(head))

/** Whether it is worth a look at its attachments. */
export const mayHoldReport = (head: MailHead): boolean =>
  isReportHead(head) || /\bdmarc\b/i.test(head.subject.slice(0, SUBJECT_CHARS_MAX))
