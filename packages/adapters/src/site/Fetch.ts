import { Data, Effect } from "effect"
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from "node:http"
import { request as tlsRequest } from "node:https"
import type { Readable } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate, constants } from "node:zlib"
import { callback } from "../platform/callback.js"
import { type Gate, NotAllowed, portOf } from "./Gate.js"
import { CONNECTING, lookupThrough } from "./door.js"

/**
 * Why a request brought nothing.
 *
 * - `unreachable`: no address, no connection, or not HTTP.
 * - `slow`: not done in time.
 * - `unsafe`, `elsewhere`: we may not ask there.
 */
export class FetchFailure extends Data.TaggedError("FetchFailure")<{
  readonly reason: "unreachable" | "slow" | "unsafe" | "elsewhere"
  readonly cause?: unknown
}> {}

export interface Fetched {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Decompressed, cut at the limit. */
  readonly body: Buffer
}

export interface FetchOptions {
  readonly gate: Gate
  readonly userAgent: string
  readonly accept: string
  readonly companyDomain: string
  readonly timeoutMillis: number
  readonly bodyBytesMax: number
}

const HEADER_BYTES_MAX = 32 * 1024

/** Reads a truncated body as far as it goes. */
const UNZIP = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
const UNBROTLI = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  finishFlush: constants.BROTLI_OPERATION_FLUSH
}

/** The decompressed body; null for a compression we didn't ask for. */
const decompressed = (response: IncomingMessage): Readable | null => {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase()
  if (encoding === "identity" || encoding === "") return response
  const through =
    encoding === "gzip" || encoding === "x-gzip"
      ? createGunzip(UNZIP)
      : encoding === "deflate"
        ? createInflate(UNZIP)
        : encoding === "br"
          ? createBrotliDecompress(UNBROTLI)
          : null
  return through === null ? null : response.pipe(through)
}

export const failureFrom = (cause: unknown): FetchFailure =>
  cause instanceof NotAllowed
    ? new FetchFailure({ reason: cause.reason === "unresolved" ? "unreachable" : cause.reason, cause: cause.cause })
    : new FetchFailure({ reason: "unreachable", cause })

/** One GET. Doesn't follow redirects or keep the connection. */
export const fetchOnce = (url: URL, options: FetchOptions): Effect.Effect<Fetched, FetchFailure> => {
  const objection = options.gate.objection(url, options.companyDomain)
  if (objection !== null) return Effect.fail(failureFrom(objection))
  const port = portOf(url)

  const lookup = lookupThrough(options.gate, port)

  return callback<Fetched, FetchFailure>((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    let request: ClientRequest | null = null
    const fail = (cause: unknown) => {
      resume(Effect.fail(failureFrom(cause)))
      request?.destroy()
    }
    const succeed = (response: IncomingMessage) => {
      resume(
        Effect.sync(() => ({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).subarray(0, options.bodyBytesMax)
        }))
      )
      request?.destroy()
    }
    const receive = (response: IncomingMessage) => {
      response.on("error", fail)
      // Of other statuses the body isn't read.
      if (response.statusCode !== 200) return succeed(response)
      const body = decompressed(response)
      if (body === null) return fail("an encoding that was not asked for")
      if (body !== response) body.on("error", fail)
      body.on("end", () => succeed(response))
      body.on("data", (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size < options.bodyBytesMax) return
        succeed(response)
        body.destroy()
      })
    }
    try {
      request = (url.protocol === "https:" ? tlsRequest : plainRequest)({
        protocol: url.protocol,
        hostname: url.hostname,
        port,
        path: `${url.pathname}${url.search}`,
        lookup,
        agent: false,
        ...CONNECTING,
        maxHeaderSize: HEADER_BYTES_MAX,
        headers: {
          "user-agent": options.userAgent,
          accept: options.accept,
          "accept-encoding": "gzip, deflate, br",
          "accept-language": "en, *;q=0.5"
        }
      })
      request.on("response", receive)
      // The listener stays after the answer: a late reset must not end the process.
      request.on("error", fail)
      request.end()
    } catch (cause) {
      fail(cause)
    }
    return Effect.sync(() => request?.destroy())
  }).pipe(
    Effect.timeoutOrElse({
      duration: options.timeoutMillis,
      orElse: () => Effect.fail(new FetchFailure({ reason: "slow" }))
    })
  )
}
