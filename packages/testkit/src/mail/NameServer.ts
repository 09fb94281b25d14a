import { Effect, type Scope } from "effect"
import { createSocket } from "node:dgram"

const TYPES = { MX: 15, TXT: 16 } as const
const NXDOMAIN = 3
const TXT_OCTETS_MAX = 255

export interface MailZone {
  readonly mx?: ReadonlyArray<readonly [priority: number, host: string]>
  readonly txt?: ReadonlyArray<string>
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

/** The records point to the name of the question. */
const record = (type: number, data: Buffer): Buffer => {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(1, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

const recordsOf = (zone: MailZone | undefined, type: number): ReadonlyArray<Buffer> => {
  if (type === TYPES.TXT) return (zone?.txt ?? []).map((text) => record(type, encodedText(text)))
  if (type !== TYPES.MX) return []
  return (zone?.mx ?? []).map(([priority, host]) => {
    const preference = Buffer.alloc(2)
    preference.writeUInt16BE(priority)
    return record(type, Buffer.concat([preference, encodedName(host)]))
  })
}

/** A real name server on loopback that knows the MX and TXT records of these names. Its address is `address:port`. */
export const mailNameServer = (
  zones: Readonly<Record<string, MailZone>>
): Effect.Effect<{ readonly address: string }, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<{ readonly address: string; readonly close: Effect.Effect<void> }>((resume) => {
      const socket = createSocket("udp4")
      socket.on("message", (query, from) => {
        const { end, name, type } = question(query)
        const zone = zones[name]
        if (zone?.silent === true) return
        const records = recordsOf(zone, type)
        const answer = Buffer.concat([query.subarray(0, end), ...records])
        answer.writeUInt16BE(0x8180 | (zone === undefined ? NXDOMAIN : 0), 2)
        answer.writeUInt16BE(records.length, 6)
        answer.writeUInt32BE(0, 8)
        socket.send(answer, from.port, from.address)
      })
      socket.bind(0, "127.0.0.1", () =>
        resume(
          Effect.succeed({
            address: `127.0.0.1:${socket.address().port}`,
            close: Effect.async<void>((done) => void socket.close(() => done(Effect.void)))
          })
        )
      )
    }),
    ({ close }) => close
  )
