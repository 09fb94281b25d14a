const SECONDS = /^\d{1,9}(\.\d+)?$/

/**
 * The seconds of a `Retry-After` header (RFC 9110 §10.2.3) or one like it; null: it says none. Its other form, a date, is
 * by the server's clock: it is read only where `nowMillis` is given.
 */
export const retryAfterSeconds = (text: string | null | undefined, nowMillis?: number): number | null => {
  const said = text?.trim() ?? ""
  if (SECONDS.test(said)) return Number(said)
  const at = nowMillis === undefined || said === "" ? Number.NaN : Date.parse(said)
  return Number.isNaN(at) ? null : Math.max(at - (nowMillis ?? 0), 0) / 1_000
}
