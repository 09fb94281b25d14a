import type { Crypto } from "../../kernel/ports/Crypto.js"
import type { Context } from "effect"
import { CONFIRMATION_TOKEN_PREFIX } from "../../verbs/fields.js"

/**
 * The token of an approval, derived from its id, so that a replayed answer can show it again although only its
 * SHA-256 is stored (contract: calls, names and times).
 */
export const confirmationToken = (crypto: Context.Tag.Service<typeof Crypto>, approvalId: string): string =>
  `${CONFIRMATION_TOKEN_PREFIX}${crypto.mac("confirmation_token", approvalId)}`
