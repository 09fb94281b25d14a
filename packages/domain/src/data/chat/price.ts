import { type Credits, credits, fromMicros, min, times } from "../../kernel/money/Credits.js"
import type { ChatTier } from "../../sources/ports/ChatUpstream.js"

/** Per 1,000 tokens of prompt and completion (contract: credits, prices). */
export const CHAT_PRICES: Record<ChatTier, Credits> = {
  large: credits("0.5"),
  small: credits("0.25"),
  mini: credits("0.1")
}

/** Every tier's price is a whole number of micro-credits per token, so that nothing is ever rounded. */
const TOKEN_PRICES: Record<ChatTier, Credits> = {
  large: fromMicros(CHAT_PRICES.large / 1_000n),
  small: fromMicros(CHAT_PRICES.small / 1_000n),
  mini: fromMicros(CHAT_PRICES.mini / 1_000n)
}

export const priceOfTokens = (tier: ChatTier, tokens: number): Credits => times(TOKEN_PRICES[tier], tokens)

/** What tokens cost a call that reserved so much: an upstream that counts more than was agreed is not paid by callers. */
export const chargeOfTokens = (tier: ChatTier, tokens: number, reserved: Credits): Credits =>
  min(priceOfTokens(tier, tokens), reserved)
