import { Context } from "effect"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"

/** Whose mail a link is in. */
export interface LinkOf {
  readonly workspaceId: string
  /** The domain that it is sent from; null: it is not known yet. */
  readonly domain: string | null
}

/** An address under which the links of new mail stand, without a slash at its end; null: it has none for this mail. */
export type LinkBase = (of: LinkOf) => FromStore<string | null>

/** Where links of new mail lead: to an address of the sender's own, or to the service's. Any of them serves every link. */
export class LinkBases extends Context.Service<LinkBases, (of: LinkOf) => FromStore<string>>()(
  "@outbound/domain/outreach/suppression/linkBases/LinkBases"
) {}
