import { workspacesContract } from "@outbound/testkit/contracts/workspaces.js"
import { workspacesBesideContract } from "@outbound/testkit/contracts/workspacesBeside.js"
import { Layer } from "effect"
import * as PgChangeRequestStore from "../../src/postgres/PgChangeRequestStore.js"
import * as PgRuleStore from "../../src/postgres/PgRuleStore.js"
import { layer } from "./stores.js"

workspacesContract("PostgreSQL", layer)
workspacesBesideContract(
  "PostgreSQL",
  Layer.provideMerge(Layer.merge(PgChangeRequestStore.layer, PgRuleStore.layer), layer)
)
