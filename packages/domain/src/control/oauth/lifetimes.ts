import { DAY_MILLIS, MINUTE_MILLIS } from "../../kernel/durations.js"
const SECOND_MILLIS = 1_000

/** How long a request waits for a decision. The person may need to sign in by email first. */
export const REQUEST_MILLIS = 30 * MINUTE_MILLIS

/** Programs redeem codes at once. */
export const CODE_MILLIS = 60 * SECOND_MILLIS

export const ACCESS_TOKEN_SECONDS = 60 * 60
export const ACCESS_TOKEN_MILLIS = ACCESS_TOKEN_SECONDS * SECOND_MILLIS

/** Each refresh token lasts this long from its creation, so an active client never has to ask its user again. */
export const REFRESH_TOKEN_MILLIS = 30 * DAY_MILLIS

/**
 * How long a used refresh token still returns what its first use returned. A client that calls several tools at once
 * renews several times with one token, and one whose answer was lost asks again.
 */
export const REFRESH_GRACE_MILLIS = 60 * SECOND_MILLIS

/** A registered client that was never allowed anything is deleted. */
export const UNUSED_CLIENT_MILLIS = DAY_MILLIS

/** A client that was allowed something is deleted this long after its last use, once nothing refers to it. */
export const USED_CLIENT_MILLIS = 90 * DAY_MILLIS

/** Registrations and requests per network address within `ASK_WINDOW_MINUTES`. */
export const REGISTRATIONS_PER_ADDRESS_MAX = 30
export const REQUESTS_PER_ADDRESS_MAX = 100

/**
 * Registered clients that were never allowed anything, and requests that wait for a decision. Beyond these, the oldest make
 * room for new ones: a flood from many addresses fills neither the database nor keeps out who asks now.
 */
export const UNUSED_CLIENTS_MAX = 10_000
export const OPEN_REQUESTS_MAX = 10_000
