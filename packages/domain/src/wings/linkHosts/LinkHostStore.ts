import { Context, type Option } from "effect"
import type { Job } from "../../kernel/ports/LongWork.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { LinkHost } from "./LinkHost.js"

export type LinkHostRef = Pick<LinkHost, "workspaceId" | "host">

/** The job that looks at a host as long as it is watched. */
export const linkHostJob = ({ host, workspaceId }: LinkHostRef): Job => ({
  kind: "link_host",
  key: `${workspaceId}/${host}`
})

/** The hosts of workspaces' links. */
export class LinkHostStore extends Context.Service<
  LinkHostStore,
  {
    /** By host. */
    readonly list: (workspaceId: string) => FromStore<ReadonlyArray<LinkHost>>
    readonly get: (ref: LinkHostRef) => FromStore<Option.Option<LinkHost>>
    /** Everything that changes a host's holder waits for this, for all workspaces that name it. */
    readonly lockName: (host: string) => InTx<void>
    readonly lock: (ref: LinkHostRef) => InTx<Option.Option<LinkHost>>
    /** Who holds the name, whichever workspace it is. Only after `lockName`. */
    readonly holder: (host: string) => InTx<Option.Option<LinkHost>>
    /** Adds it, or gives it these values. */
    readonly put: (host: LinkHost) => InTx<void>
    /** Forgets one that was never proven: no link ever led to it. */
    readonly forget: (ref: LinkHostRef) => InTx<void>
    /** Whether links may lead to the host: a workspace proved it, now or formerly. */
    readonly isKnown: (host: string) => FromStore<boolean>
    /** The known ones of all workspaces, by name, at most `limit`, after this one. */
    readonly known: (after: string | null, limit: number) => FromStore<ReadonlyArray<LinkHost>>
    /** Watched ones whose look is overdue by then, at most `limit`. */
    readonly overdue: (beforeMillis: number, limit: number) => FromStore<ReadonlyArray<LinkHostRef>>
  }
>()("@outbound/domain/wings/linkHosts/LinkHostStore") {}
