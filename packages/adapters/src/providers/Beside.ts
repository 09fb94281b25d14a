import type { KnownPeople } from "@outbound/domain/outreach/campaigns/knownPeople.js"
import type { CompanySource } from "@outbound/domain/sources/ports/CompanySource.js"
import type { Judge } from "@outbound/domain/sources/ports/Judge.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { SourceMemory } from "@outbound/domain/sources/SourceMemory.js"
import type { EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { Effect } from "effect"
import type { WebVisitor } from "../site/WebVisitor.js"

/** Asks a model for a text. */
export type AskModel = (system: string, prompt: string) => Effect.Effect<string, ProviderFailure>

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
  /** The operator's model, for texts that are checked afterwards. Null: none is configured. */
  readonly model: AskModel | null
  readonly judge: Judge | null
  /** The hosts that take a domain's mail; none if it has none, or they can't be told now. */
  readonly mailHosts: (domain: string) => Effect.Effect<ReadonlyArray<string>>
  /** Whose addresses a workspace knows, and about whom nobody may be asked. Null: there are no workspaces here. */
  readonly known: KnownPeople | null
  /** What sources learnt before, on any host. Null: nothing is kept here. */
  readonly memory: SourceMemory | null
}

/** A place without any of them, for what is only looked at. */
export const NOTHING_BESIDE: Beside = {
  web: {
    visit: () => Effect.succeed({ _tag: "Unreadable", reason: "unreachable" }),
    read: (_domain, urls) => Effect.succeed(urls.map(() => ({ _tag: "Unreadable", reason: "unreachable" })))
  },
  contact: "unknown",
  companies: null,
  verifier: null,
  model: null,
  judge: null,
  mailHosts: () => Effect.succeed([]),
  known: null,
  memory: null
}
