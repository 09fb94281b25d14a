import { accessContract } from "../../src/contracts/service/access.js"
import { layerMemory } from "../../src/service/Service.js"

accessContract("memory", layerMemory)
