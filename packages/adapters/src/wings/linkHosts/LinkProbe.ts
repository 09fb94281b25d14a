import { LinkProbe, LinkUnanswered } from "@outbound/domain/wings/linkHosts/LinkProbe.js"
import { Effect, Layer } from "effect"
import { type IncomingMessage, request as plainRequest } from "node:http"
import { request as tlsRequest } from "node:https"
import { callback } from "../../platform/callback.js"
import { isForbiddenAddress, LOOPBACK_HOSTS } from "../../site/Address.js"
import { CONNECTING, lookupThrough } from "../../site/door.js"
import { checkedAddresses, NotAllowed, portOf, type Resolve, resolveBy } from "../../site/Gate.js"

/** From name lookup to the end of the answer. A certificate that is issued only now takes some seconds. */
const TIMEOUT_MILLIS = 20_000

/** The answer that we want is one line. */
const ANSWER_BYTES_MAX = 1_024
const HEADER_BYTES_MAX = 16 * 1024

export interface LinkProbeOptions {
  /** The service's own address: where it leads, link hosts may lead too, although that may be a private network. */
  readonly baseUrl: string
  /** Whether the service runs on its user's own machine, so that names may lead there. */
  readonly isAtHome: boolean
  readonly resolve?: Resolve
  readonly timeoutMillis?: number
}

const LOOPBACK: ReadonlySet<string> = new Set(LOOPBACK_HOSTS.values())

/** Node's codes for a certificate that does not hold. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS|ERR_SSL|EPROTO/

const reasonOf = (cause: unknown): LinkUnanswered["reason"] => {
  if (cause instanceof NotAllowed) return cause.reason === "unresolved" ? "no_address" : "private_address"
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0])
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
  return CERTIFICATE.test(code) ? "certificate" : "unreachable"
}

/** The way to a link host: public addresses, and those of the service itself. */
const doorOf = ({ baseUrl, isAtHome, resolve = resolveBy() }: LinkProbeOptions) => ({
  addresses: async (hostname: string) => {
    const own = LOOPBACK_HOSTS.has(new URL(baseUrl).hostname) ? [] : await resolve(new URL(baseUrl).hostname)
    const ours = new Set(own.map(({ address }) => address))
    const allows = (address: string): boolean =>
      !isForbiddenAddress(address) && (ours.has(address) || (isAtHome && LOOPBACK.has(address)))
    return checkedAddresses(resolve, hostname, allows)
  }
})

/** Asks link hosts over HTTP, each time by a connection of its own to addresses that were just checked. */
export const layer = (options: LinkProbeOptions): Layer.Layer<LinkProbe> =>
  Layer.sync(LinkProbe, () => {
    const door = doorOf(options)
    const get = (text: string) =>
      callback<{ readonly status: number; readonly body: string }, LinkUnanswered>((resume) => {
        const url = new URL(text)
        const failed = (cause: unknown) => resume(Effect.fail(new LinkUnanswered({ reason: reasonOf(cause) })))
        const receive = (response: IncomingMessage) => {
          const chunks: Array<Buffer> = []
          let size = 0
          const settle = () => {
            const body = Buffer.concat(chunks).toString("utf8").slice(0, ANSWER_BYTES_MAX)
            resume(Effect.succeed({ status: response.statusCode ?? 0, body }))
            request.destroy()
          }
          response.on("data", (chunk: Buffer) => {
            chunks.push(chunk)
            size += chunk.length
            if (size >= ANSWER_BYTES_MAX) settle()
          })
          response.on("end", settle)
          response.on("error", failed)
        }
        const request = (url.protocol === "https:" ? tlsRequest : plainRequest)({
          method: "GET",
          protocol: url.protocol,
          hostname: url.hostname,
          port: portOf(url),
          path: url.pathname,
          lookup: lookupThrough(door, portOf(url)),
          agent: false,
          ...CONNECTING,
          maxHeaderSize: HEADER_BYTES_MAX,
          headers: { host: url.host, accept: "text/plain" }
        })
        request.on("response", receive)
        // The listener stays after the answer: a late reset must not end the process.
        request.on("error", failed)
        request.end()
        return Effect.sync(() => request.destroy())
      })
    return {
      get: (url) =>
        Effect.timeoutOrElse(get(url), {
          duration: options.timeoutMillis ?? TIMEOUT_MILLIS,
          orElse: () => Effect.fail(new LinkUnanswered({ reason: "unreachable" }))
        })
    }
  })
