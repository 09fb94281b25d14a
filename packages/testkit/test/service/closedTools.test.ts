import { closedToolsContract } from "../../src/contracts/service/closedTools.js"
import { layerMemory } from "../../src/service/Service.js"

closedToolsContract("memory", layerMemory)
