/** Calls the service with an API key, by the documented rules and with `fetch` alone. */
import { backoff } from "@outbound/domain/kernel/backoff.js"
import { randomUUID } from "node:crypto"
import { Foreseen } from "./Foreseen.js"

const ATTEMPTS_MAX = 6
const REQUEST_MILLIS_MAX = 90_000
const PAUSE_MILLIS = { first: 500, max: 20_000 }

/** Errors to retry with the same Idempotency-Key. */
const RETRIED = new Set(["rate_limited", "provider_unavailable", "internal"])

/** A refusal: the envelope's error. */
export class Refused extends Foreseen {
  constructor(
    readonly verb: string,
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Readonly<Record<string, unknown>>,
    readonly requestId: string
  ) {
    super(`${verb} was refused: ${code} (${status}). ${message}`)
  }
}

/** The service can't be reached, or something else answers. */
export class Unreachable extends Foreseen {}

export interface Answer<A> {
  readonly result: A
  readonly charged: string
  readonly available: string
}

// oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON: each step names what it reads
type Json = any

export const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  if (cause instanceof Error && cause.message !== "") return cause.message
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : String(cause)
}

const parse = (text: string, url: string): Json => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreachable(`${url} did not answer with JSON. Check the service's address.`)
  }
}

export class Agent {
  constructor(
    readonly url: string,
    private readonly apiKey: string,
    /** Called with the reason of each retry. */
    private readonly onRetry: (why: string) => void
  ) {}

  /** A `POST`. Repeat it with the same `key`. */
  act<A = Json>(path: string, body: unknown, key: string = randomUUID()): Promise<Answer<A>> {
    return this.call(path, { method: "POST", body: JSON.stringify(body), headers: { "idempotency-key": key } })
  }

  get<A = Json>(path: string): Promise<Answer<A>> {
    return this.call(path, { method: "GET", headers: {} })
  }

  private async call<A>(path: string, init: { method: string; body?: string; headers: Record<string, string> }) {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt + 1 >= ATTEMPTS_MAX
      try {
        const answered = await this.once<A>(path, init)
        if (!(answered instanceof Refused)) return answered
        if (isLast || !RETRIED.has(answered.code)) throw answered
        const asked = Number(answered.details["retry_after_seconds"] ?? 0) * 1_000
        this.onRetry(`${answered.code}, retrying`)
        await pause(Math.min(Math.max(asked, backoff(attempt + 1, PAUSE_MILLIS)), 60_000))
      } catch (error) {
        if (error instanceof Refused || error instanceof Unreachable) throw error
        // It may have arrived. The same key makes a retry safe.
        if (isLast)
          throw new Unreachable(`${this.url} can't be reached: ${reasonOf(error)}. Start the service with npm start.`)
        this.onRetry(`no answer (${reasonOf(error)}), retrying`)
        await pause(backoff(attempt + 1, PAUSE_MILLIS))
      }
    }
  }

  private async once<A>(
    path: string,
    init: { method: string; body?: string; headers: Record<string, string> }
  ): Promise<Answer<A> | Refused> {
    const response = await fetch(`${this.url}${path}`, {
      ...init,
      headers: {
        ...init.headers,
        authorization: `Bearer ${this.apiKey}`,
        ...(init.body === undefined ? {} : { "content-type": "application/json" })
      },
      signal: AbortSignal.timeout(REQUEST_MILLIS_MAX)
    })
    const envelope = parse(await response.text(), `${this.url}${path}`)
    if (response.ok) {
      return {
        result: envelope.result,
        charged: envelope.svc.credits_charged,
        available: envelope.svc.credits_available
      }
    }
    const { code, details = {}, message, request_id } = envelope.error ?? {}
    if (code === undefined) throw new Unreachable(`${this.url}${path} answered ${response.status} without an error.`)
    return new Refused(path, response.status, code, message, details, request_id)
  }
}
