import { marginsContract } from "../../src/contracts/margins.js"
import { ownKeysContract } from "../../src/contracts/ownKeys.js"
import { layer } from "../../src/memory/layer.js"

marginsContract("memory", layer)
ownKeysContract("memory", layer)
