/**
 * Why an attempt failed.
 *
 * - `status`: not a 2xx status; `redirect`: a redirect, which we don't follow;
 * - `timeout`: no answer in time; `unreachable`: no address, no connection, or not HTTP;
 * - `forbidden_address`: the name resolves to an address that is not public.
 */
export const WEBHOOK_FAILURES = ["status", "redirect", "timeout", "unreachable", "forbidden_address"] as const
export type WebhookFailureReason = (typeof WEBHOOK_FAILURES)[number]
