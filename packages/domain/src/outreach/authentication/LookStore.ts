import { Context, type Option } from "effect"
import type { Job } from "../../kernel/ports/LongWork.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import { DAY_MILLIS } from "../../kernel/durations.js"
import type { SeenSignature } from "../mail/MailProbe.js"
import type { DomainLook } from "./Look.js"

/** A domain of a workspace's mailboxes. */
export type MailDomain = Pick<DomainLook, "workspaceId" | "domain">

export const lookJob = ({ domain, workspaceId }: MailDomain): Job => ({ kind: "look", key: `${workspaceId}/${domain}` })

/** A signature that was seen longer ago proves nothing: providers change their keys. */
export const SEEN_MILLIS = 30 * DAY_MILLIS

/** Looks at the authentication of sending domains, and the signatures that their mail was seen with. */
export class LookStore extends Context.Service<
  LookStore,
  {
    /** The looks of these domains that there are, in no order. */
    readonly looks: (workspaceId: string, domains: ReadonlyArray<string>) => FromStore<ReadonlyArray<DomainLook>>
    /** The look at a domain; other transactions that lock it wait for this one. None: there is none. */
    readonly lock: (of: MailDomain) => InTx<Option.Option<DomainLook>>
    /** Stores it in the place of the one before. */
    readonly put: (look: DomainLook) => InTx<void>
    /** The domains of the workspace's mailboxes that are not gone, by name. */
    readonly domains: (workspaceId: string) => FromStore<ReadonlyArray<string>>
    /** The domain's mailboxes that are paused because it is not authenticated, by id. */
    readonly paused: (of: MailDomain) => FromStore<ReadonlyArray<string>>
    /** Domains of live workspaces' mailboxes without a look, or whose next look is due by then. */
    readonly due: (beforeMillis: number, limit: number) => FromStore<ReadonlyArray<MailDomain>>
    /** Forgets what older mail of the domain was signed with. */
    readonly sawSignatures: (of: MailDomain, seen: ReadonlyArray<SeenSignature>, nowMillis: number) => InTx<void>
    /** Signatures seen since then, by signer and selector. */
    readonly signatures: (of: MailDomain, sinceMillis: number) => FromStore<ReadonlyArray<SeenSignature>>
  }
>()("@outbound/domain/outreach/authentication/LookStore") {}
