/** Reads DMARC aggregate reports (RFC 7489 appendix C, RFC 9990) from the files in which they are mailed. */
import { hostOf } from "@outbound/domain/kernel/people/Domain.js"
import { repaired } from "@outbound/domain/kernel/text.js"
import type { AggregateReport, AttachedReport, ReportRow } from "@outbound/domain/outreach/mail/aggregateReport.js"
import { isIP } from "node:net"
import { promisify } from "node:util"
import { gunzip, inflateRaw } from "node:zlib"
import { childrenOf, readXml, textAt, type XmlElement } from "../platform/readXml.js"
import { codeOf } from "../platform/errors.js"

/** Largest report once it is unpacked, and most rows. A row of the large receivers takes about 700 octets. */
export const REPORT_OCTETS_MAX = 4 * 1024 * 1024
export const REPORT_ROWS_MAX = 10_000
const ELEMENTS_MAX = 400_000

/** A count beyond this is no count. */
const MESSAGES_MAX = 1_000_000_000

const NAME_CHARS_MAX = 255

/** 2001-09-09 to 2286-11-20: seconds of ten digits. */
const SECONDS = /^1\d{9}$/

const TYPES: ReadonlySet<string> = new Set([
  "application/gzip",
  "application/x-gzip",
  "application/zip",
  "application/x-zip",
  "application/x-zip-compressed",
  "application/octet-stream",
  "application/xml",
  "text/xml"
])

/** Whether reports come as files of this media type. */
export const mayBeReportType = (type: string): boolean => TYPES.has(type.toLowerCase())

const unreadable = (why: string): AttachedReport => ({ _tag: "Unreadable", why })

/** Why a file can't be read. Thrown here, and caught in `readAggregate`. */
class Unread extends Error {}

const BOUNDED = { maxOutputLength: REPORT_OCTETS_MAX } as const

const unpacked = (work: Promise<Buffer>): Promise<Buffer> =>
  work.catch((error: unknown) => {
    throw new Unread(
      codeOf(error) === "ERR_BUFFER_TOO_LARGE" ? "it is too large once unpacked" : "it can't be unpacked"
    )
  })

const ZIP_END = 0x06054b50
const ZIP_ENTRY = 0x02014b50
const ZIP_END_OCTETS = 22
const ZIP_COMMENT_MAX = 0xffff
const ZIP_METHODS = { stored: 0, deflated: 8 } as const

/** The file in a zip of one file, by its central directory. What it claims about sizes bounds nothing. */
const unzipped = async (zip: Buffer): Promise<Buffer> => {
  const from = Math.max(0, zip.length - ZIP_END_OCTETS - ZIP_COMMENT_MAX)
  const signature = Buffer.alloc(4)
  signature.writeUInt32LE(ZIP_END)
  const end = zip.lastIndexOf(signature)
  if (end < from || end + ZIP_END_OCTETS > zip.length) throw new Unread("its zip has no end")
  if (zip.readUInt16LE(end + 10) !== 1) throw new Unread("its zip does not hold one file")
  const entry = zip.readUInt32LE(end + 16)
  if (entry + 46 > zip.length || zip.readUInt32LE(entry) !== ZIP_ENTRY) throw new Unread("its zip is broken")
  if ((zip.readUInt16LE(entry + 8) & 1) === 1) throw new Unread("its zip is encrypted")
  const method = zip.readUInt16LE(entry + 10)
  const local = zip.readUInt32LE(entry + 42)
  if (local + 30 > zip.length) throw new Unread("its zip is broken")
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const packed = zip.subarray(start, start + zip.readUInt32LE(entry + 20))
  if (method === ZIP_METHODS.deflated) return unpacked(promisify(inflateRaw)(packed, BOUNDED))
  if (method === ZIP_METHODS.stored) return packed
  throw new Unread("its zip is packed in an unknown way")
}

/** The document in a file. Its first octets say what it is: names and media types are often wrong. */
const documentIn = async (file: Buffer): Promise<Buffer> => {
  if (file[0] === 0x1f && file[1] === 0x8b) return unpacked(promisify(gunzip)(file, BOUNDED))
  return file.subarray(0, 2).toString("latin1") === "PK" ? unzipped(file) : file
}

/** As text: UTF-16 by its mark or its first octets, else UTF-8. */
const textOf = (document: Buffer): string => {
  const [first, second] = document
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)
  const encoding = isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8"
  return new TextDecoder(encoding).decode(document)
}

const short = (text: string): string => repaired(text.slice(0, NAME_CHARS_MAX).replace(/\p{Cc}+/gu, " ")).trim()

const required = <A>(value: A | null, what: string): A => {
  if (value === null) throw new Unread(`it has no valid ${what}`)
  return value
}

const millisOf = (seconds: string): number | null => (SECONDS.test(seconds) ? Number(seconds) * 1_000 : null)

const textOrNull = (text: string): string | null => (text === "" ? null : text)

const dispositionOf = (text: string): ReportRow["disposition"] => {
  const word = text.toLowerCase()
  return word === "quarantine" || word === "reject" ? word : "none"
}

const rowOf = (record: XmlElement): ReportRow => {
  const count = textAt(record, "row", "count")
  const ip = textAt(record, "row", "source_ip")
  const evaluated = (name: string) => textAt(record, "row", "policy_evaluated", name).toLowerCase()
  return {
    ip: required(isIP(ip) === 0 ? null : ip.toLowerCase(), "source address"),
    messages: required(/^\d{1,10}$/.test(count) && Number(count) <= MESSAGES_MAX ? Number(count) : null, "count"),
    disposition: dispositionOf(evaluated("disposition")),
    dkim: evaluated("dkim") === "pass",
    spf: evaluated("spf") === "pass",
    headerFrom: hostOf(textAt(record, "identifiers", "header_from")) ?? ""
  }
}

const reportOf = (root: XmlElement): AggregateReport => {
  const at = (...path: ReadonlyArray<string>) => short(textAt(root, ...path))
  const beginMillis = required(millisOf(at("report_metadata", "date_range", "begin")), "beginning")
  const endMillis = required(millisOf(at("report_metadata", "date_range", "end")), "end")
  if (endMillis < beginMillis) throw new Unread("it ends before it begins")
  const records = childrenOf(root, "record")
  if (records.length > REPORT_ROWS_MAX) throw new Unread(`it has more than ${REPORT_ROWS_MAX} rows`)
  return {
    organisation: required(textOrNull(at("report_metadata", "org_name").toLowerCase()), "organisation"),
    reportId: required(textOrNull(at("report_metadata", "report_id")), "report id"),
    domain: required(hostOf(at("policy_published", "domain")), "domain"),
    beginMillis,
    endMillis,
    rows: records.map(rowOf)
  }
}

/**
 * Reads a file. Never fails. It unpacks a bounded number of octets, and refuses a document with a type declaration, so
 * there are no entities to expand and nothing is fetched.
 */
export const readAggregate = async (file: Uint8Array): Promise<AttachedReport> => {
  try {
    const document = await documentIn(Buffer.from(file))
    if (document.length > REPORT_OCTETS_MAX) return unreadable("it is too large")
    const text = textOf(document)
    if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return unreadable("it declares a document type or entities")
    const root = readXml(text, ELEMENTS_MAX)
    if (root === null || root.name !== "feedback") return unreadable("it is no well-formed report")
    return { _tag: "Report", report: reportOf(root) }
  } catch (error) {
    if (error instanceof Unread) return unreadable(error.message)
    throw error
  }
}
