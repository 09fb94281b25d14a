import type { Context } from "effect"
import type { Crypto } from "../kernel/ports/Crypto.js"

const OFFER_TOKEN_PREFIX = "svc_offer_"

export const OFFER_TOKEN_PATTERN = /^svc_offer_[A-Za-z0-9_-]{43}$/

/**
 * The token of an offer, derived from its id, so that a replayed answer can show it again although only its SHA-256
 * is stored (contract: calls, names and times).
 */
export const offerToken = (crypto: Context.Tag.Service<typeof Crypto>, offerId: string): string =>
  `${OFFER_TOKEN_PREFIX}${crypto.mac("offer_token", offerId)}`
