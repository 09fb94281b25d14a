import { Effect } from "effect"
import { createSocket } from "node:dgram"
import { isIPv4 } from "node:net"

const TYPE = { A: 1, AAAA: 28 } as const
const NXDOMAIN = 3

const nameIn = (query: Buffer): { readonly name: string; readonly end: number } => {
  const labels: Array<string> = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join(".").toLowerCase(), end: at + 5 }
}

const bytesOf = (address: string): Buffer =>
  isIPv4(address)
    ? Buffer.from(address.split(".").map(Number))
    : Buffer.concat(address.split(":").map((group) => Buffer.from(group.padStart(4, "0"), "hex")))

/** The answer section's records point to the name of the question. */
const recordOf = (type: number, address: string): Buffer => {
  const data = bytesOf(address)
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, data.length])
  return Buffer.concat([head, data])
}

/** A real name server on loopback. It knows these addresses, IPv6 in full length; of `silent` names it says nothing. */
export const nameServer = (zone: Readonly<Record<string, ReadonlyArray<string> | "silent">>) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly address: string; readonly close: Effect.Effect<void> }>((resume) => {
      const socket = createSocket("udp4")
      socket.on("message", (query, from) => {
        const { end, name } = nameIn(query)
        const known = zone[name]
        if (known === "silent") return
        const type = query.readUInt16BE(end - 4)
        const records = (known ?? [])
          .filter((address) => (isIPv4(address) ? TYPE.A : TYPE.AAAA) === type)
          .map((address) => recordOf(type, address))
        const answer = Buffer.concat([query.subarray(0, end), ...records])
        answer.writeUInt16BE(0x8180 | (known === undefined ? NXDOMAIN : 0), 2)
        answer.writeUInt16BE(records.length, 6)
        answer.writeUInt32BE(0, 8)
        socket.send(answer, from.port, from.address)
      })
      socket.bind(0, "127.0.0.1", () =>
        resume(
          Effect.succeed({
            address: `127.0.0.1:${socket.address().port}`,
            close: Effect.callback<void>((done) => void socket.close(() => done(Effect.void)))
          })
        )
      )
    }),
    ({ close }) => close
  )
