import { layer } from "../../src/memory/layer.js"
import { ruleStoreContract } from "../../src/rules/ruleStoreContract.js"

ruleStoreContract("memory", layer)
