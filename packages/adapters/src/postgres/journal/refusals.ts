import type { Admission } from "@outbound/domain/calls/Attempt.js"
import { refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { Item } from "./Items.js"

export const operationOf = (item: Item): string => (item._tag === "Admit" ? "CallJournal.admit" : "CallJournal.settle")

/** Nobody has that key, or its workspace was deleted since this host looked it up. */
export const UNKNOWN_KEY: Admission<never> = {
  _tag: "Refused",
  error: refuse("unauthorized", {}),
  rate: null,
  key: null,
  plan: null
}

/** Nothing was done: the database has not answered in time. */
export const tooLate = (operation: string): StoreUnavailable =>
  new StoreUnavailable({ operation, cause: new Error("the database answers too late") })

/** The item can't be written as it is, or its outcome is in doubt. */
export const storeRefusal = (operation: string, cause: unknown): StoreUnavailable =>
  new StoreUnavailable({ operation, cause, isOutage: false })
