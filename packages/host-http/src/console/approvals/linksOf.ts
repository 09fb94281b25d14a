import type { Approval } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { FromStore } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { LinkBases } from "@outbound/domain/outreach/suppression/linkBases.js"
import { Effect } from "effect"

/** A host that links lead to, and the domains whose mail has them; none: all mail. */
export interface LinksTo {
  readonly host: string
  readonly domains: ReadonlyArray<string>
}

/** Where links in the messages of a request would lead now; empty: it has none, or nobody can say. */
export const linksOf = (
  bases: LinkBases["Service"] | null,
  { snapshot, workspaceId }: Pick<Approval, "snapshot" | "workspaceId">
): FromStore<ReadonlyArray<LinksTo>> => {
  if (bases === null || !("mailboxes" in snapshot)) return Effect.succeed([])
  const from = [...new Set(snapshot.mailboxes.map((address) => address.slice(address.lastIndexOf("@") + 1)))]
  return Effect.map(
    Effect.forEach(from.length === 0 ? [null] : from, (domain) =>
      Effect.map(bases({ workspaceId, domain }), (base) => ({ host: new URL(base).host, domain }))
    ),
    (found) =>
      [...new Set(found.map(({ host }) => host))].map((host) => ({
        host,
        domains: found.flatMap((one) => (one.host === host && one.domain !== null ? [one.domain] : []))
      }))
  )
}
