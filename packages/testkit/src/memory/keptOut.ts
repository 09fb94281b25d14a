import { dealingOf, keptOutBy } from "@outbound/domain/outreach/suppression/keepingOut.js"
import type { KeptOut } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import type { Tables } from "./Tables.js"
import type { Keeper } from "./WingRows.js"

type Whom = Parameters<Keeper["standings"]>[0]

const standings = ({ wings }: Tables, whom: Whom) =>
  [...wings.keepers.values()].flatMap((keeper) => keeper.standings(whom))

/** Why a wing keeps the person out; null: none does. */
export const keptOut = (tables: Tables, whom: Whom): KeptOut | null => keptOutBy(standings(tables, whom))

export const dealing = (tables: Tables, whom: Whom): KeptOut | null => dealingOf(standings(tables, whom))

export const isCrmUnread = ({ wings }: Tables, workspaceId: string, nowMillis: number): boolean =>
  [...wings.keepers.values()].some((keeper) => keeper.isUnread(workspaceId, nowMillis))
