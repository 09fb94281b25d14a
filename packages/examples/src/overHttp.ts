/*
 * An agent calls the service over HTTP, in any language: here with nothing but `fetch`. It looks at the price before it
 * spends, never spends twice for one thing, and sends again only what may be sent again.
 */
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"

export interface Place {
  /** Where the service is. */
  readonly url: string
  readonly apiKey: string
}

interface Failure {
  readonly code: string
  readonly message: string
  readonly request_id: string
  readonly details?: { readonly retry_after_seconds?: number }
}

interface Answer<Result> {
  readonly result: Result
  readonly svc: { readonly credits_charged: string; readonly credits_available: string }
}

const ATTEMPTS_MAX = 4
const RETRIED = ["rate_limited", "provider_unavailable", "internal"]

/** One call. Its key is made once, so that however often it is sent, it happens and is charged at most once. */
const call = async <Result>(place: Place, method: string, path: string, body?: object): Promise<Answer<Result>> => {
  const key = randomUUID()
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${place.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${place.apiKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json", "idempotency-key": key })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const answer = (await response.json()) as Answer<Result> | { readonly error: Failure }
    if (!("error" in answer)) return answer
    const { code, details, message, request_id } = answer.error
    if (!RETRIED.includes(code) || attempt === ATTEMPTS_MAX) throw new Error(`${code}: ${message} (${request_id})`)
    await pause((details?.retry_after_seconds ?? attempt) * 1_000)
  }
}

interface Lead {
  readonly full_name: string
  readonly company_domain: string
}

/** Finds people, reveals an address, and checks it. Says what came of it, a line each. */
export const overHttp = async (place: Place): Promise<ReadonlyArray<string>> => {
  const search = { audience: "Heads of sales at software companies in Germany", titles: ["Sales"], limit: 3 }
  const planned = await call<{ readonly plan: { readonly credits_estimate: string } }>(
    place,
    "POST",
    "/v1/find_leads",
    { ...search, dry_run: true }
  )
  const found = await call<{ readonly leads: ReadonlyArray<Lead> }>(place, "POST", "/v1/find_leads", search)
  const lines = [
    `at most ${planned.result.plan.credits_estimate} credits; ${found.result.leads.length} found for ${found.svc.credits_charged}`
  ]
  for (const { company_domain, full_name } of found.result.leads) {
    const { result } = await call<{ readonly contact: { readonly work_email: string | null } | null }>(
      place,
      "POST",
      "/v1/enrich",
      { person: { full_name, company_domain }, want: ["work_email"] }
    )
    const email = result.contact?.work_email
    if (email === undefined || email === null) continue
    const checked = await call<{ readonly status: string }>(place, "POST", "/v1/verify_email", { email })
    lines.push(`${full_name}: ${email} is ${checked.result.status}`)
  }
  const usage = await call<{ readonly credits_available: string }>(place, "GET", "/v1/usage")
  return [...lines, `${usage.result.credits_available} credits left`]
}
