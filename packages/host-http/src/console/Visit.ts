import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { SignedIn } from "@outbound/domain/control/users/UserStore.js"
import type { Effect } from "effect"
import type { Reply } from "../http/Reply.js"
import type { Viewer } from "./Shell.js"

/** What anybody's page is made from. */
export interface Visit {
  readonly path: string
  readonly query: URLSearchParams
  /** Empty for a `GET`. */
  readonly form: URLSearchParams
  readonly cookies: string | undefined
  /** Who asks, as far as the network says. */
  readonly client: string
  /** What stands in the path in place of `:id`, in lower case. */
  readonly id: string
}

/** What a page is made from for somebody who is signed in. */
export interface Inside extends Visit {
  readonly viewer: Viewer
  readonly by: SignedIn
  readonly workspaceId: string
  /** The session's secret. */
  readonly secret: string
  readonly nowMillis: number
}

/** An answer that is sent piece by piece; a piece that could not be sent (false) ends it. */
export interface Pieces {
  readonly headers: Readonly<Record<string, string>>
  readonly produce: (write: (piece: string) => Effect.Effect<boolean>) => Effect.Effect<void, StoreUnavailable>
}

export type Page = Effect.Effect<Reply | Pieces, StoreUnavailable>

/** An address of the console. `:id` in its path stands for a UUID. */
export type Route =
  | {
      readonly access: "open"
      readonly path: string
      readonly get?: (visit: Visit) => Page
      readonly post?: (visit: Visit) => Page
    }
  | {
      readonly access: "member"
      readonly path: string
      readonly get?: (visit: Inside) => Page
      readonly post?: (visit: Inside) => Page
      /** The page on which a form stands that has none of its own at its address. */
      readonly formOn?: string
      /** Of a form that may be longer than `LIMITS.formBytesMax`. */
      readonly formBytesMax?: number
    }

export const isPieces = (made: Reply | Pieces): made is Pieces => "produce" in made
