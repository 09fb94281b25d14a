import { gzipSync } from "node:zlib"
import type { Exchange } from "./Exchange.js"
import type { Reply } from "./Reply.js"

/** Below it, compressing saves no packet. */
const PACKED_BYTES_MIN = 1_400

/** Whether the client takes gzip (RFC 9110 §12.5.3). */
export const takesGzip = (accepted: string | undefined): boolean => {
  const weights = new Map(
    (accepted ?? "").split(",").map((one) => {
      const [coding = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase())
      const weight = parameters.find((part) => part.startsWith("q="))
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))] as const
    })
  )
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0
}

/** A reply that is always the same, for those who take it compressed. It is compressed once, when somebody first does. */
export const packed = (reply: Reply): ((exchange: Pick<Exchange, "header">) => Reply) => {
  const plain = { ...reply, headers: { ...reply.headers, vary: "accept-encoding" } }
  if (Buffer.byteLength(reply.body) < PACKED_BYTES_MIN) return () => plain
  let small: Reply | undefined
  return (exchange) => {
    if (!takesGzip(exchange.header("accept-encoding"))) return plain
    small ??= {
      ...plain,
      headers: { ...plain.headers, "content-encoding": "gzip" },
      body: gzipSync(reply.body, { level: 9 })
    }
    return small
  }
}
