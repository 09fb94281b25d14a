import { leadStatusContract } from "../../src/contracts/service/leadStatus.js"
import { layerMemory } from "../../src/service/Service.js"

leadStatusContract("memory", layerMemory)
