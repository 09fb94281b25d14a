import { forbiddenDueContract } from "../../src/contracts/forbiddenDue.js"
import { layer } from "../../src/memory/layer.js"

forbiddenDueContract("memory", layer)
