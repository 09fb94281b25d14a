import { WebhookFailure, type WebhookMessage, WebhookSender } from "@outbound/domain/control/webhooks/WebhookSender.js"
import { Effect, Layer, Redacted } from "effect"
import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http"
import { request as tlsRequest } from "node:https"
import { isIP } from "node:net"
import { Webhook } from "standardwebhooks"
import { retryAfterSeconds } from "../platform/retryAfter.js"
import { isPublicAddress, LOOPBACK_HOSTS } from "../site/Address.js"
import { type Gate, makeGate, NotAllowed, portOf, type Resolve, resolveBy } from "../site/Gate.js"
import { lookupThrough } from "../site/lookup.js"

/** From name lookup to the end of the answer. */
const TIMEOUT_MILLIS = 10_000

/** The bytes read of an answer's body, which is discarded. */
const ANSWER_BYTES_MAX = 64 * 1024
const HEADER_BYTES_MAX = 16 * 1024

/** The time per address of a host. */
const CONNECTING = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 }

export interface SenderOptions {
  /** Whether sandbox webhooks may go to this machine, because the service runs on its user's own. */
  readonly isAtHome: boolean
  /** Name resolution; default: the machine's name servers. */
  readonly resolve?: Resolve
  readonly timeoutMillis?: number
}

const failed = (
  reason: WebhookFailure["reason"],
  status: number | null = null,
  retryAfterMillis: number | null = null
): WebhookFailure => new WebhookFailure({ reason, status, retryAfterMillis })

const retryAfterOf = ({ headers }: IncomingMessage, nowMillis: number): number | null => {
  const seconds = retryAfterSeconds(headers["retry-after"], nowMillis)
  return seconds === null ? null : seconds * 1_000
}

const causeOf = (cause: unknown): WebhookFailure =>
  failed(cause instanceof NotAllowed && cause.reason !== "unresolved" ? "forbidden_address" : "unreachable")

/** `v1` with each secret, newest first (Standard Webhooks, "signature scheme"). */
const signatures = ({ body, id, secrets, sentAtMillis }: WebhookMessage): string =>
  secrets.map((secret) => new Webhook(Redacted.value(secret)).sign(id, new Date(sentAtMillis), body)).join(" ")

/** The headers of a message. The signature covers id, time and body. */
export const headersOf = (message: WebhookMessage): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "user-agent": "outbound-webhooks/1",
  "webhook-id": message.id,
  "webhook-timestamp": String(Math.floor(message.sentAtMillis / 1_000)),
  "webhook-signature": signatures(message)
})

/** The address of a message. Null: it may not go there. */
const targetOf = (
  message: WebhookMessage,
  isAtHome: boolean
): { readonly url: URL; readonly own: string | undefined } | null => {
  if (!URL.canParse(message.url)) return null
  const url = new URL(message.url)
  const own = isAtHome && message.workspaceKind === "sandbox" ? LOOPBACK_HOSTS.get(url.hostname) : undefined
  if (url.protocol !== "https:" && !(url.protocol === "http:" && own !== undefined)) return null
  // An IP address is connected to without a lookup, so check it as written.
  const literal = url.hostname.replace(/^\[|\]$/g, "")
  if (own === undefined && isIP(literal) !== 0 && !isPublicAddress(literal)) return null
  return { url, own }
}

/** Loopback names are this machine, whatever name servers say. */
const ownGate = (address: string): Pick<Gate, "addresses"> => ({
  addresses: () => Promise.resolve([{ address, family: isIP(address) }])
})

const post = (
  { body, ...message }: WebhookMessage,
  { own, url }: { readonly url: URL; readonly own: string | undefined },
  gate: Gate
): Effect.Effect<number, WebhookFailure> =>
  Effect.async((resume) => {
    const bytes = Buffer.from(body, "utf8")
    const port = portOf(url)
    let request: ClientRequest | null = null
    const end = (result: Effect.Effect<number, WebhookFailure>) => {
      resume(result)
      request?.destroy()
    }
    const receive = (response: IncomingMessage) => {
      const status = response.statusCode ?? 0
      const settle = () => {
        if (status >= 200 && status < 300) return end(Effect.succeed(status))
        const reason = status >= 300 && status < 400 ? "redirect" : "status"
        return end(Effect.fail(failed(reason, status, retryAfterOf(response, message.sentAtMillis))))
      }
      let size = 0
      response.on("data", (chunk: Buffer) => {
        size += chunk.length
        if (size >= ANSWER_BYTES_MAX) settle()
      })
      // The status counts, however the body ends.
      response.on("end", settle)
      response.on("error", settle)
    }
    try {
      request = (url.protocol === "https:" ? tlsRequest : plainRequest)({
        method: "POST",
        protocol: url.protocol,
        hostname: own ?? url.hostname,
        port,
        path: `${url.pathname}${url.search}`,
        lookup: lookupThrough(own === undefined ? gate : ownGate(own), port),
        agent: false,
        ...CONNECTING,
        maxHeaderSize: HEADER_BYTES_MAX,
        headers: { ...headersOf({ body, ...message }), host: url.host, "content-length": bytes.length }
      })
      request.on("response", receive)
      // The listener stays after the answer: a late reset must not end the process.
      request.on("error", (cause) => end(Effect.fail(causeOf(cause))))
      request.end(bytes)
    } catch (cause) {
      end(Effect.fail(causeOf(cause)))
    }
    return Effect.sync(() => request?.destroy())
  })

/** Sends Standard Webhooks messages. No redirects; connects only to public addresses that were just checked. */
export const layer = (options: SenderOptions): Layer.Layer<WebhookSender> =>
  Layer.sync(WebhookSender, () => {
    const gate = makeGate(options.resolve ?? resolveBy(), [])
    return {
      send: (message) => {
        const target = targetOf(message, options.isAtHome)
        if (target === null) return Effect.fail(failed("forbidden_address"))
        return post(message, target, gate).pipe(
          Effect.timeoutFail({
            duration: options.timeoutMillis ?? TIMEOUT_MILLIS,
            onTimeout: () => failed("timeout")
          })
        )
      }
    }
  })
