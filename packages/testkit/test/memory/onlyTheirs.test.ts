import { onlyTheirsContract } from "../../src/contracts/onlyTheirs.js"
import { layer } from "../../src/memory/layer.js"

onlyTheirsContract("memory", layer)
