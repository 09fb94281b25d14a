import { leftOutContract } from "../../src/contracts/leftOut.js"
import { layer } from "../../src/memory/layer.js"

leftOutContract("memory", layer)
