import type { Context } from "effect"
import type { WorkspaceKind } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import type { Role } from "@outbound/domain/control/users/UserStore.js"
import type { Pages } from "../console/pages.js"

/** A link of the settings page, where the host has the service behind it. */
export interface SettingsLink {
  readonly path: string
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- only whether it is there is asked
  readonly service: Context.Key<any, any>
  readonly isFor: (viewer: { readonly role: Role; readonly kind: WorkspaceKind }) => boolean
}

/** What the console shows of a wing. */
// oxlint-disable-next-line typescript/no-explicit-any -- whatever its pages need, the list of pages knows it of the wing itself
export interface WingConsole<R = any> {
  readonly pages: Pages<R>
  readonly settings: ReadonlyArray<SettingsLink>
}
