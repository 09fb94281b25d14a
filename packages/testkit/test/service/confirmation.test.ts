import { confirmationContract } from "../../src/contracts/service/confirmation.js"
import { quietMemory } from "../../src/service/Service.js"

confirmationContract("memory", quietMemory)
