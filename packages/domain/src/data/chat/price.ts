import { type Credits, credits, fromMicros, min, times } from "../../kernel/money/Credits.js"
import type { ChatTier } from "../../sources/ports/ChatUpstream.js"

/** Per 1,000 tokens of prompt and completion (contract: credits, prices). */
export const CHAT_PRICES: Record<ChatTier, Credits> = {
  large: credits("0.5"),
  small: credits("0.25"),
  mini: credits("0.1")
}

/** Micro-credits per token: whole numbers for every tier, so nothing is rounded. */
const TOKEN_PRICES: Record<ChatTier, Credits> = {
  large: fromMicros(CHAT_PRICES.large / 1_000n),
  small: fromMicros(CHAT_PRICES.small / 1_000n),
  mini: fromMicros(CHAT_PRICES.mini / 1_000n)
}

export const priceOfTokens = (tier: ChatTier, tokens: number): Credits => times(TOKEN_PRICES[tier], tokens)

/** The price of the tokens, at most what was reserved: callers don't pay for an upstream that counts more. */
export const chargeOfTokens = (tier: ChatTier, tokens: number, reserved: Credits): Credits =>
  min(priceOfTokens(tier, tokens), reserved)
