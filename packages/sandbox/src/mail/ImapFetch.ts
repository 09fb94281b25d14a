import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import type { KeptMail } from "./ImapFolders.js"
import { dayOf, imapDate, inSet, listOf, said, type Token } from "./imapWire.js"

/** How far a server may be from the truth about what it sends. */
export interface FetchFaults {
  /** What it multiplies the sizes with that it states. */
  sizeFactor: number
  /** It sends a message whole, whatever part of it was asked for. */
  ignoresPartial: boolean
}

const headerEnd = (raw: Buffer): number => {
  const end = raw.indexOf("\r\n\r\n")
  return end < 0 ? raw.length : end + 4
}

/** The fields of a message, unfolded, by lower-case name. */
export const fieldsOfRaw = (raw: Buffer): ReadonlyArray<readonly [name: string, value: string, line: string]> =>
  raw
    .subarray(0, headerEnd(raw))
    .toString("utf8")
    .split(/\r\n(?![ \t])/)
    .flatMap((line) => {
      const colon = line.indexOf(":")
      return colon < 1 ? [] : [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim(), line] as const]
    })

/** What a section names; null for one that this server does not know. */
const sectionOf = (raw: Buffer, section: string): Buffer | null => {
  const name = section.toUpperCase()
  if (name === "") return raw
  if (name === "HEADER") return raw.subarray(0, headerEnd(raw))
  if (name === "TEXT") return raw.subarray(headerEnd(raw))
  const fields = /^HEADER\.FIELDS(\.NOT)? \(([^)]*)\)$/.exec(name)
  if (fields === null) return null
  const wanted = new Set((fields[2] ?? "").toLowerCase().replaceAll('"', "").split(" "))
  const lines = fieldsOfRaw(raw).filter(([field]) => wanted.has(field) !== (fields[1] !== undefined))
  return Buffer.from(`${lines.map(([, , line]) => line).join("\r\n")}\r\n\r\n`)
}

/** One item of a FETCH's answer; null for one that this server does not know. */
const itemOf = (mail: KeptMail, item: string, faults: FetchFaults): ReadonlyArray<Buffer> | null => {
  const name = item.toUpperCase()
  if (name === "UID") return [Buffer.from(`UID ${mail.uid}`)]
  if (name === "FLAGS") return [Buffer.from(`FLAGS (${[...mail.flags].join(" ")})`)]
  if (name === "INTERNALDATE") return [Buffer.from(`INTERNALDATE "${imapDate(mail.arrivedAt)}"`)]
  if (name === "RFC822.SIZE") return [Buffer.from(`RFC822.SIZE ${Math.round(mail.raw.length * faults.sizeFactor)}`)]
  const body = /^BODY(?:\.PEEK)?\[(.*)\](?:<(\d+)\.(\d+)>)?$/i.exec(item)
  if (body === null) return null
  const [, section = "", start, length] = body
  const whole = sectionOf(mail.raw, section)
  if (whole === null) return null
  const partial = start !== undefined && !faults.ignoresPartial
  const octets = partial ? whole.subarray(Number(start), Number(start) + Number(length)) : whole
  const origin = start === undefined ? "" : `<${start}>`
  return [Buffer.from(`BODY[${section}]${origin} {${octets.length}}\r\n`), octets]
}

/** The untagged answer for one message; null where an item is not known. */
export const fetched = (
  sequence: number,
  mail: KeptMail,
  items: ReadonlyArray<string>,
  faults: FetchFaults
): Buffer | null => {
  const parts: Array<Buffer> = [Buffer.from(`* ${sequence} FETCH (`)]
  for (const [index, item] of items.entries()) {
    const part = itemOf(mail, item, faults)
    if (part === null) return null
    if (index > 0) parts.push(Buffer.from(" "))
    parts.push(...part)
  }
  return Buffer.concat([...parts, Buffer.from(")\r\n")])
}

type Matches = (mail: KeptMail, sequence: number) => boolean

const holds = (mail: KeptMail, field: string, words: string): boolean =>
  fieldsOfRaw(mail.raw).some(([name, value]) => name === field && value.toLowerCase().includes(words.toLowerCase()))

/**
 * What a SEARCH asks for (RFC 3501 §6.4.4), over the folder's messages; null where it holds a key that this server does
 * not know.
 */
export const searched = (tokens: ReadonlyArray<Token>, mails: ReadonlyArray<KeptMail>): Matches | null => {
  let at = 0
  const uids = mails.map(({ uid }) => uid)
  const sequences = mails.map((_, index) => index + 1)
  const next = (): string => said(tokens[at++])

  const key = (): Matches | null => {
    const token = tokens[at]
    if (token !== undefined && "list" in token) {
      at += 1
      return searched(listOf(token), mails)
    }
    const name = next().toUpperCase()
    switch (name) {
      case "ALL":
        return () => true
      case "SEEN":
        return (mail) => mail.flags.has("\\Seen")
      case "UNSEEN":
        return (mail) => !mail.flags.has("\\Seen")
      case "UID": {
        const found = new Set(inSet(next(), uids))
        return (mail) => found.has(mail.uid)
      }
      case "SINCE": {
        const day = dayOf(next())
        return (mail) => mail.arrivedAt.getTime() >= day
      }
      case "BEFORE": {
        const day = dayOf(next())
        return (mail) => mail.arrivedAt.getTime() < day
      }
      case "ON": {
        const day = dayOf(next())
        return (mail) => Math.floor(mail.arrivedAt.getTime() / DAY_MILLIS) * DAY_MILLIS === day
      }
      case "HEADER": {
        const [field, words] = [next().toLowerCase(), next()]
        return (mail) => holds(mail, field, words)
      }
      case "FROM":
      case "TO":
      case "CC":
      case "SUBJECT": {
        const words = next()
        return (mail) => holds(mail, name.toLowerCase(), words)
      }
      case "NOT": {
        const inner = key()
        return inner === null ? null : (mail, sequence) => !inner(mail, sequence)
      }
      case "OR": {
        const [one, other] = [key(), key()]
        return one === null || other === null ? null : (mail, sequence) => one(mail, sequence) || other(mail, sequence)
      }
      default: {
        if (!/^[\d:*,]+$/.test(name)) return null
        const found = new Set(inSet(name, sequences))
        return (_, sequence) => found.has(sequence)
      }
    }
  }

  const keys: Array<Matches> = []
  while (at < tokens.length) {
    if (said(tokens[at]).toUpperCase() === "CHARSET") {
      at += 2
      continue
    }
    const one = key()
    if (one === null) return null
    keys.push(one)
  }
  return (mail, sequence) => keys.every((matches) => matches(mail, sequence))
}
