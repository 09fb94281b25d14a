import { Context, type Effect, type Option } from "effect"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"

/**
 * Which key an access token acts as. What a token stands for and when it ends never change, so found ones are
 * remembered; whatever ends a grant early revokes the key behind it, which every admission looks at.
 */
export class AccessTokens extends Context.Tag("@outbound/domain/calls/keys/AccessTokens")<
  AccessTokens,
  {
    /** SHA-256 of the key's secret; none for what is unknown, expired or no access token. */
    readonly keyHashOf: (bearer: string) => Effect.Effect<Option.Option<string>, StoreUnavailable>
  }
>() {}
