import { confirmationContract } from "../../src/contracts/service/confirmation.js"
import { layerMemory } from "../../src/service/Service.js"

confirmationContract("memory", layerMemory)
