import { upkeepContract } from "../../src/contracts/service/upkeep.js"
import { layerMemory } from "../../src/service/Service.js"

upkeepContract("memory", layerMemory)
