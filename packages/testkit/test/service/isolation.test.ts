import { isolationContract } from "../../src/contracts/service/isolation.js"
import { layerMemory } from "../../src/service/Service.js"

isolationContract("memory", layerMemory)
