import { workspacesContract } from "@outbound/testkit/contracts/workspaces.js"
import { layer } from "./stores.js"

workspacesContract("PostgreSQL", layer)
