import { Effect } from "effect"
import type { Wing } from "../Wing.js"
import * as CrmAdmin from "./CrmAdmin.js"
import { makeCrmHandler, makeCrmPurge } from "./crmHandler.js"
import { crmJob, CrmStore } from "./CrmStore.js"
import { makeNoteToCrm } from "./noting.js"

const makeLost = Effect.map(
  CrmStore,
  ({ connected }) =>
    (limit: number) =>
      Effect.map(connected(limit), (found) => found.map(crmJob))
)

/** A workspace's CRM: whom it keeps out of campaigns, and what is written back to it. */
export const crmWing = {
  name: "crm",
  jobs: { crm: makeCrmHandler },
  lost: [makeLost],
  sweeps: { crm: makeCrmPurge },
  hears: [makeNoteToCrm],
  services: CrmAdmin.layer
} satisfies Wing
