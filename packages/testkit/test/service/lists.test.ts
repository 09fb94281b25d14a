import { listsContract } from "../../src/contracts/service/lists.js"
import { layerMemory } from "../../src/service/Service.js"

listsContract("memory", layerMemory)
