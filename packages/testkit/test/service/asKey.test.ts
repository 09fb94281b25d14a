import { asKeyContract } from "../../src/contracts/service/asKey.js"
import { layerMemory } from "../../src/service/Service.js"

asKeyContract("memory", layerMemory)
