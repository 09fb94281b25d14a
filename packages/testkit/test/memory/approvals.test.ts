import { approvalsContract } from "../../src/contracts/approvals.js"
import { layer } from "../../src/memory/layer.js"

approvalsContract("memory", layer)
