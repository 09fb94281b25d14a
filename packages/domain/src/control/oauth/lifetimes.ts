const SECOND_MILLIS = 1_000
const MINUTE_MILLIS = 60 * SECOND_MILLIS
const HOUR_MILLIS = 60 * MINUTE_MILLIS
const DAY_MILLIS = 24 * HOUR_MILLIS

/** How long a client may wait for its human: a sign-in link has to be made and opened on the way. */
export const REQUEST_MILLIS = 30 * MINUTE_MILLIS

/** A code is redeemed at once, by a program. */
export const CODE_MILLIS = 60 * SECOND_MILLIS

export const ACCESS_TOKEN_SECONDS = 60 * 60
export const ACCESS_TOKEN_MILLIS = ACCESS_TOKEN_SECONDS * SECOND_MILLIS

/** Each refresh token lasts so long from its making: a client that is used at all need not ask its human again. */
export const REFRESH_TOKEN_MILLIS = 30 * DAY_MILLIS

/** A client that registered and was never allowed anything is forgotten. */
export const UNUSED_CLIENT_MILLIS = DAY_MILLIS

/** So is one that was, once nothing is left of it. */
export const USED_CLIENT_MILLIS = 90 * DAY_MILLIS

/**
 * Anybody may register and ask: each network address so often within `ASK_WINDOW_MINUTES`. Behind what follows for all
 * of them together, nobody locks anybody else out by these.
 */
export const REGISTRATIONS_PER_ADDRESS_MAX = 30
export const REQUESTS_PER_ADDRESS_MAX = 100

/** So many registrations in an hour at all, beyond which whoever comes is told to come back. */
export const REGISTRATIONS_MAX = 1_000
export const REGISTRATIONS_MILLIS = HOUR_MILLIS

/** So many requests wait for a human at one time. */
export const OPEN_REQUESTS_MAX = 10_000
