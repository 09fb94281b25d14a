import { Context, type Option } from "effect"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"

/**
 * Finds the key that an access token acts as. A token's key and expiry never change, so results are cached. Ending a
 * grant early revokes its key, which every admission checks.
 */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    /** SHA-256 of the key's secret. None: unknown, expired, or not an access token. */
    readonly keyHashOf: (bearer: string) => FromStore<Option.Option<string>>
  }
>()("@outbound/domain/calls/keys/AccessTokens") {}
