import { setupSendingContract } from "../../src/contracts/service/setupSending.js"
import { layerMemory } from "../../src/service/Service.js"

setupSendingContract("memory", layerMemory)
