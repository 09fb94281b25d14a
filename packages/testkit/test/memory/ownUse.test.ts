import { ownUseContract } from "../../src/contracts/ownUse.js"
import { layer } from "../../src/memory/layer.js"

ownUseContract("memory", layer)
