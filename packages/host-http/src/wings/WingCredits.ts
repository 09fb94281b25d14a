import type { FromStore } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { ComponentChildren } from "preact"
import type { Problem } from "../console/Parts.js"
import type { Inside, Page, Route } from "../console/Visit.js"

/** What a wing adds to the page of credits. */
export interface WingCredits {
  /** Above the ledger. `problem`: of a form of its own, which is shown again. */
  readonly above: (visit: Inside, problem: Problem | undefined) => FromStore<ComponentChildren>
  /** What its forms and links lead to. `again` shows the page of credits again. */
  readonly routes: (again: (visit: Inside, problem: Problem) => Page) => ReadonlyArray<Route>
}
