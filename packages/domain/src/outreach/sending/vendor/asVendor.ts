import { Clock, Effect, Option } from "effect"
import { ProviderFailure } from "../../../sources/ports/Source.js"
import { Providers } from "../../../sources/ports/Providers.js"
import type { VendorScheduled } from "../../../sources/ports/VendorScheduled.js"
import type { FromStore } from "../../../kernel/ports/UnitOfWork.js"
import { SourceAccessFactory } from "../../../sources/SourceAccessFactory.js"
import { CurrentSourceAccess, type SourceAccess } from "../../../sources/SourceAccess.js"
import { type Workspace, WorkspaceStore } from "../../../kernel/workspaces/WorkspaceStore.js"
import { askProvider } from "../askProvider.js"
import type { VendorAccount, VendorCampaign } from "./VendorStore.js"

/** Timeout of a vendor. */
export const ASK_SECONDS = 15

/** How much later an abandoned request may still reach the vendor. */
const LATE_MILLIS = 15_000

/** How long after a request something may still reach the vendor, even if the asking host died. */
export const UNDER_WAY_MILLIS = ASK_SECONDS * 1000 + LATE_MILLIS

/** A campaign's vendor, asked with its workspace's access. */
export interface Asked {
  readonly vendor: VendorScheduled
  readonly workspace: Workspace
  /** Times out after `ASK_SECONDS`; timeouts and defects leave the outcome unknown. */
  readonly ask: <A>(
    what: (vendor: VendorScheduled) => Effect.Effect<A, ProviderFailure>
  ) => Effect.Effect<A, ProviderFailure>
}

/** Only the credential that created the campaign, whatever the workspace has stored since. */
const byAccount = (access: SourceAccess, account: VendorAccount): SourceAccess => ({
  ...access,
  ownKey: (name) =>
    account === "service"
      ? Effect.succeedNone
      : Effect.filterOrFail(
          access.ownKey(name),
          Option.isSome,
          () => new ProviderFailure({ provider: name, reason: "account", cause: "its own key is not there any more" })
        )
})

/** Who holds a campaign. Fails where its vendor is not configured (any more): nobody else can be asked about it. */
export const makeVendorOf = Effect.gen(function* () {
  const providers = yield* Providers
  const workspaces = yield* WorkspaceStore
  const accessFactory = yield* SourceAccessFactory
  return ({
    account,
    vendor: name,
    workspaceId
  }: Pick<VendorCampaign, "account" | "vendor" | "workspaceId">): FromStore<Asked, ProviderFailure> =>
    Effect.gen(function* () {
      const workspace = Option.getOrThrow(yield* workspaces.get(workspaceId))
      const vendor = providers[workspace.kind].sending
      if (vendor?.schedules !== "vendor" || vendor.name !== name) {
        return yield* Effect.fail(new ProviderFailure({ provider: name, reason: "transient", cause: "not configured" }))
      }
      const access = byAccount(accessFactory.of({ workspaceId, workspaceKind: workspace.kind }), account)
      return {
        vendor,
        workspace,
        ask: (what) =>
          askProvider(name, { seconds: ASK_SECONDS, otherwise: "unknown_outcome" }, () => what(vendor)).pipe(
            Effect.provideService(CurrentSourceAccess, access)
          )
      } satisfies Asked
    })
})

/** A turn asks its vendor nothing new after this time; much earlier if a call waits for the turn. */
export const BEGIN_MILLIS = 60_000
export const BEGIN_IN_CALL_MILLIS = 10_000

/** Largest difference between two hosts' clocks. */
export const CLOCKS_APART_MILLIS = 30_000

/** How long a host holds a campaign: until nothing it began can be in transit, by any host's clock. */
export const HOLD_MILLIS = BEGIN_MILLIS + UNDER_WAY_MILLIS + CLOCKS_APART_MILLIS

/** The cause of a failure when the turn ended before asking the vendor. */
const TURN_OVER = "the turn is over"

export const isTurnOver = ({ cause }: ProviderFailure): boolean => cause === TURN_OVER

/** Refuses requests after this time: another host may take the campaign before an answer comes. */
export const askedUntil = (asked: Asked, untilMillis: number): Asked => ({
  ...asked,
  ask: (what) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      nowMillis > untilMillis
        ? Effect.fail(new ProviderFailure({ provider: asked.vendor.name, reason: "transient", cause: TURN_OVER }))
        : asked.ask(what)
    )
})
