import type { KeptOut } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import type { Tables } from "./Tables.js"
import type { Keeper } from "./WingRows.js"

/** Why a wing keeps the person out; null: none does. */
export const keptOut = ({ wings }: Tables, whom: Parameters<Keeper["keptOut"]>[0]): KeptOut | null =>
  [...wings.keepers.values()].reduce<KeptOut | null>((found, keeper) => found ?? keeper.keptOut(whom), null)

export const isCrmUnread = ({ wings }: Tables, workspaceId: string, nowMillis: number): boolean =>
  [...wings.keepers.values()].some((keeper) => keeper.isUnread(workspaceId, nowMillis))
