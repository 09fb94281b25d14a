import type { WebhookFailureReason } from "@outbound/domain/control/webhooks/failures.js"
import type { WorkspaceKind } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Data, Effect } from "effect"
import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http"
import { request as tlsRequest } from "node:https"
import { isIP } from "node:net"
import { callback } from "../platform/callback.js"
import { retryAfterSeconds } from "../platform/retryAfter.js"
import { isPublicAddress, LOOPBACK_HOSTS } from "../site/Address.js"
import { type Gate, makeGate, NotAllowed, portOf, type Resolve, resolveBy } from "../site/Gate.js"
import { CONNECTING, lookupThrough } from "../site/door.js"

/** From name lookup to the end of the answer. */
const TIMEOUT_MILLIS = 10_000

/** The bytes read of an answer's body, which is discarded. */
const ANSWER_BYTES_MAX = 64 * 1024
const HEADER_BYTES_MAX = 16 * 1024

export interface PostOptions {
  /** Whether sandboxes may post to this machine, because the service runs on its user's own. */
  readonly isAtHome: boolean
  /** Name resolution; default: the machine's name servers. */
  readonly resolve?: Resolve
  readonly timeoutMillis?: number
}

export interface Post {
  readonly url: string
  readonly workspaceKind: WorkspaceKind
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** For a `Retry-After` that names a date. */
  readonly nowMillis: number
}

export class PostFailure extends Data.TaggedError("PostFailure")<{
  readonly reason: WebhookFailureReason
  readonly status: number | null
  readonly retryAfterMillis: number | null
  /** False: no connection was made, so the receiver has nothing. */
  readonly wasConnected: boolean
}> {}

const failed = (
  reason: WebhookFailureReason,
  wasConnected: boolean,
  status: number | null = null,
  retryAfterMillis: number | null = null
): PostFailure => new PostFailure({ reason, status, retryAfterMillis, wasConnected })

const retryAfterOf = ({ headers }: IncomingMessage, nowMillis: number): number | null => {
  const seconds = retryAfterSeconds(headers["retry-after"], nowMillis)
  return seconds === null ? null : seconds * 1_000
}

const reasonOf = (cause: unknown): WebhookFailureReason =>
  cause instanceof NotAllowed && cause.reason !== "unresolved" ? "forbidden_address" : "unreachable"

interface Target {
  readonly url: URL
  readonly own: string | undefined
}

/** The address of a post. Null: it may not go there. */
const targetOf = (post: Post, isAtHome: boolean): Target | null => {
  if (!URL.canParse(post.url)) return null
  const url = new URL(post.url)
  const own = isAtHome && post.workspaceKind === "sandbox" ? LOOPBACK_HOSTS.get(url.hostname) : undefined
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

const postThrough = (
  gate: Gate,
  { body, headers, nowMillis }: Post,
  { own, url }: Target,
  timeoutMillis: number
): Effect.Effect<number, PostFailure> =>
  Effect.suspend(() => {
    let wasConnected = false
    const sent = callback<number, PostFailure>((resume) => {
      const bytes = Buffer.from(body, "utf8")
      const port = portOf(url)
      let request: ClientRequest | null = null
      const end = (result: Effect.Effect<number, PostFailure>) => {
        resume(result)
        request?.destroy()
      }
      const receive = (response: IncomingMessage) => {
        const status = response.statusCode ?? 0
        const settle = () => {
          if (status >= 200 && status < 300) return end(Effect.succeed(status))
          const reason = status >= 300 && status < 400 ? "redirect" : "status"
          return end(Effect.fail(failed(reason, true, status, retryAfterOf(response, nowMillis))))
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
      const refuse = (cause: unknown) => end(Effect.fail(failed(reasonOf(cause), wasConnected)))
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
          headers: { ...headers, host: url.host, "content-length": bytes.length }
        })
        request.on("socket", (socket) =>
          socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
            wasConnected = true
          })
        )
        request.on("response", receive)
        // The listener stays after the answer: a late reset must not end the process.
        request.on("error", refuse)
        request.end(bytes)
      } catch (cause) {
        refuse(cause)
      }
      return Effect.sync(() => request?.destroy())
    })
    return Effect.timeoutOrElse(sent, {
      duration: timeoutMillis,
      orElse: () => Effect.fail(failed("timeout", wasConnected))
    })
  })

/** Posts once and returns the 2xx status. No redirects; connects only to public addresses that were just checked. */
export const makePost = (options: PostOptions): ((post: Post) => Effect.Effect<number, PostFailure>) => {
  const gate = makeGate(options.resolve ?? resolveBy(), [])
  return (post) => {
    const target = targetOf(post, options.isAtHome)
    return target === null
      ? Effect.fail(failed("forbidden_address", false))
      : postThrough(gate, post, target, options.timeoutMillis ?? TIMEOUT_MILLIS)
  }
}
