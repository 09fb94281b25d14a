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

/** From the look-up of the address to the end of the answer. */
const TIMEOUT_MILLIS = 10_000

/** What is read of an answer beyond its status; nothing of it is kept. */
const ANSWER_BYTES_MAX = 64 * 1024
const HEADER_BYTES_MAX = 16 * 1024

/** Each address of a host is given this long. */
const CONNECTING = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 }

export interface SenderOptions {
  /** Whether a sandbox's messages may go to this machine: where its user runs the service there. */
  readonly isAtHome: boolean
  /** How names are looked up; by the machine's own name servers unless said. */
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

/** `v1` by each secret, newest first (Standard Webhooks, "signature scheme"). */
const signatures = ({ body, id, secrets, sentAtMillis }: WebhookMessage): string =>
  secrets.map((secret) => new Webhook(Redacted.value(secret)).sign(id, new Date(sentAtMillis), body)).join(" ")

/** The headers of a message; what is signed is its id, its time and its body. */
export const headersOf = (message: WebhookMessage): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "user-agent": "outbound-webhooks/1",
  "webhook-id": message.id,
  "webhook-timestamp": String(Math.floor(message.sentAtMillis / 1_000)),
  "webhook-signature": signatures(message)
})

/** Where the message goes; null: it may not go there. */
const targetOf = (
  message: WebhookMessage,
  isAtHome: boolean
): { readonly url: URL; readonly own: string | undefined } | null => {
  if (!URL.canParse(message.url)) return null
  const url = new URL(message.url)
  const own = isAtHome && message.workspaceKind === "sandbox" ? LOOPBACK_HOSTS.get(url.hostname) : undefined
  if (url.protocol !== "https:" && !(url.protocol === "http:" && own !== undefined)) return null
  // An address instead of a name is connected to without a look-up: it must be fit as it stands.
  const literal = url.hostname.replace(/^\[|\]$/g, "")
  if (own === undefined && isIP(literal) !== 0 && !isPublicAddress(literal)) return null
  return { url, own }
}

/** Whoever is sent to by loopback is this machine, whatever its name servers say. */
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
      // The status was said: how the rest ends changes nothing about it.
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
      // After an answer its listener stays: a reset that comes late must not end the process.
      request.on("error", (cause) => end(Effect.fail(causeOf(cause))))
      request.end(bytes)
    } catch (cause) {
      end(Effect.fail(causeOf(cause)))
    }
    return Effect.sync(() => request?.destroy())
  })

/**
 * Sends messages of Standard Webhooks. Redirects are not followed, and a name is connected to only at the public
 * addresses that were just looked at.
 */
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
