import { approvalsContract } from "@outbound/testkit/contracts/approvals.js"
import { layer } from "./stores.js"

approvalsContract("PostgreSQL", layer)
