import { contentContract } from "../../src/contracts/content.js"
import { layer } from "../../src/memory/layer.js"

contentContract("memory", layer)
