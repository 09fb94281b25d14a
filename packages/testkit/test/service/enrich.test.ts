import { enrichContract } from "../../src/contracts/service/enrich.js"
import { layerMemory } from "../../src/service/Service.js"

enrichContract("memory", layerMemory)
