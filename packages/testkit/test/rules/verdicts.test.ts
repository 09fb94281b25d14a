import { layer } from "../../src/memory/layer.js"
import { verdictsContract } from "../../src/rules/verdictsContract.js"

verdictsContract("memory", layer)
