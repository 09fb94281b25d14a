import type { KnownPeople } from "@outbound/domain/outreach/suppression/knownPeople.js"
import type { CompanySource } from "@outbound/domain/sources/ports/CompanySource.js"
import type { EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { Effect } from "effect"
import type { WebVisitor } from "../site/WebVisitor.js"

/** The host's own parts, for sources that are made of them. */
export interface Beside {
  /** Reads companies' websites, under `web`'s settings. */
  readonly web: WebVisitor
  /** Whom pages and public sources may write to, for the `User-Agent`. */
  readonly contact: string
  /** The workspace's own companies. Null: there are none here. */
  readonly companies: CompanySource | null
  /** The prober. Null: it isn't there. */
  readonly verifier: EmailVerifier | null
  /** Whose addresses a workspace knows, and about whom nobody may be asked. Null: there are no workspaces here. */
  readonly known: KnownPeople | null
}

/** A place without any of them, for what is only looked at. */
export const NOTHING_BESIDE: Beside = {
  web: { visit: () => Effect.succeed({ _tag: "Unreadable", reason: "unreachable" }) },
  contact: "unknown",
  companies: null,
  verifier: null,
  known: null
}
