import { Effect, type Scope } from "effect"
import { createSocket } from "node:dgram"

const TYPES = { A: 1, CNAME: 5, PTR: 12, MX: 15, TXT: 16, AAAA: 28 } as const
const NXDOMAIN = 3
const TXT_OCTETS_MAX = 255

export interface MailZone {
  readonly a?: ReadonlyArray<string>
  /** In full length: eight groups. */
  readonly aaaa?: ReadonlyArray<string>
  /** The name that this one stands for; its records come along. */
  readonly cname?: string
  readonly ptr?: string
  /** An empty host is none: `[0, ""]` says that there is no mail here (RFC 7505). */
  readonly mx?: ReadonlyArray<readonly [priority: number, host: string]>
  readonly txt?: ReadonlyArray<string>
  /** Answered with this code (2: the server failed) instead of records. */
  readonly rcode?: number
  /** It is said not to exist where MX is asked for, as some name servers do of what they don't know. */
  readonly deniesMx?: true
  /** Nothing is ever said about it. */
  readonly silent?: true
}

const question = (query: Buffer): { readonly name: string; readonly type: number; readonly end: number } => {
  const labels: Array<string> = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

const encodedName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split(".")
      .filter((label) => label !== "")
      .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, "latin1")])),
    Buffer.from([0])
  ])

const encodedText = (text: string): Buffer => {
  const bytes = Buffer.from(text, "utf8")
  const parts: Array<Buffer> = []
  for (let at = 0; at < bytes.length || at === 0; at += TXT_OCTETS_MAX) {
    const part = bytes.subarray(at, at + TXT_OCTETS_MAX)
    parts.push(Buffer.from([part.length]), part)
  }
  return Buffer.concat(parts)
}

const QUESTION = Buffer.from([0xc0, 12])

/** Of the name of the question, unless another owner is given. */
const record = (type: number, data: Buffer, owner: Buffer = QUESTION): Buffer => {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt32BE(1, 4)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, head, data])
}

const ipv4 = (address: string): Buffer => Buffer.from(address.split(".").map(Number))

const ipv6 = (address: string): Buffer =>
  Buffer.concat(address.split(":").map((group) => Buffer.from(group.padStart(4, "0"), "hex")))

const mxOf = ([priority, host]: readonly [number, string]): Buffer => {
  const preference = Buffer.alloc(2)
  preference.writeUInt16BE(priority)
  return Buffer.concat([preference, encodedName(host)])
}

const dataOf = (zone: MailZone, type: number): ReadonlyArray<Buffer> => {
  if (type === TYPES.TXT) return (zone.txt ?? []).map(encodedText)
  if (type === TYPES.MX) return (zone.mx ?? []).map(mxOf)
  if (type === TYPES.A) return (zone.a ?? []).map(ipv4)
  if (type === TYPES.AAAA) return (zone.aaaa ?? []).map(ipv6)
  return type === TYPES.PTR && zone.ptr !== undefined ? [encodedName(zone.ptr)] : []
}

const recordsOf = (
  zones: Readonly<Record<string, MailZone>>,
  zone: MailZone | undefined,
  type: number
): ReadonlyArray<Buffer> => {
  if (zone === undefined) return []
  if (zone.cname === undefined) return dataOf(zone, type).map((data) => record(type, data))
  const name = encodedName(zone.cname)
  const there = dataOf(zones[zone.cname] ?? {}, type).map((data) => record(type, data, name))
  return [record(TYPES.CNAME, name), ...there]
}

const codeOf = (zone: MailZone | undefined, type: number): number =>
  zone === undefined || (zone.deniesMx === true && type === TYPES.MX) ? NXDOMAIN : (zone.rcode ?? 0)

export interface MailNameServer {
  /** As `address:port`. */
  readonly address: string
  /** How often it was asked. */
  readonly questions: () => number
}

/** A real name server on loopback that knows the records of these names. */
export const mailNameServer = (
  zones: Readonly<Record<string, MailZone>>
): Effect.Effect<MailNameServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<MailNameServer & { readonly close: Effect.Effect<void> }>((resume) => {
      let questions = 0
      const socket = createSocket("udp4")
      socket.on("message", (query, from) => {
        const { end, name, type } = question(query)
        const zone = zones[name]
        questions += 1
        if (zone?.silent === true) return
        const records = zone?.rcode === undefined ? recordsOf(zones, zone, type) : []
        const answer = Buffer.concat([query.subarray(0, end), ...records])
        answer.writeUInt16BE(0x8180 | codeOf(zone, type), 2)
        answer.writeUInt16BE(records.length, 6)
        answer.writeUInt32BE(0, 8)
        socket.send(answer, from.port, from.address)
      })
      socket.bind(0, "127.0.0.1", () =>
        resume(
          Effect.succeed({
            address: `127.0.0.1:${socket.address().port}`,
            questions: () => questions,
            close: Effect.callback<void>((done) => void socket.close(() => done(Effect.void)))
          })
        )
      )
    }),
    ({ close }) => close
  )
