import { provisioningContract } from "../../src/contracts/service/provisioning.js"
import { layerMemory } from "../../src/service/Service.js"

provisioningContract("memory", layerMemory)
