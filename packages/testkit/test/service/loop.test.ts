import { loopContract } from "../../src/contracts/service/loop.js"
import { layerMemory } from "../../src/service/Service.js"

loopContract("memory", layerMemory)
