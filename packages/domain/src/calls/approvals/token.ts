import type { Crypto } from "../../kernel/ports/Crypto.js"
import { CONFIRMATION_TOKEN_PREFIX } from "../../verbs/fields.js"

/**
 * An approval's token, derived from its id. So a replay can show it again although we store only its SHA-256 (contract:
 * calls, names and times).
 */
export const confirmationToken = (crypto: Crypto["Service"], approvalId: string): string =>
  `${CONFIRMATION_TOKEN_PREFIX}${crypto.mac("confirmation_token", approvalId)}`
