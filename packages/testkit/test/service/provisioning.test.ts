import { provisioningContract } from "../../src/contracts/service/provisioning.js"
import { quietMemory } from "../../src/service/Service.js"

provisioningContract("memory", quietMemory)
