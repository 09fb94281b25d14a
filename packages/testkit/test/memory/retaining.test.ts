import { retainingContract } from "../../src/contracts/retaining.js"
import { layer } from "../../src/memory/layer.js"

retainingContract("memory", layer)
