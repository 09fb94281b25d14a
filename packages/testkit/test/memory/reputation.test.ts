import { reputationContract } from "../../src/contracts/reputation.js"
import { layer } from "../../src/memory/layer.js"

reputationContract("memory", layer)
