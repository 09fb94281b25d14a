import { setupSendingContract } from "../../src/contracts/service/setupSending.js"
import { quietMemory } from "../../src/service/Service.js"

setupSendingContract("memory", quietMemory)
