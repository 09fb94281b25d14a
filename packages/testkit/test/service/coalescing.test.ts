import { coalescingContract } from "../../src/contracts/service/coalescing.js"
import { layerMemory } from "../../src/service/Service.js"

coalescingContract("memory", layerMemory)
