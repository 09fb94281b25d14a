import { humansContract } from "../../src/contracts/service/humans.js"
import { layerMemory } from "../../src/service/Service.js"

humansContract("memory", layerMemory)
