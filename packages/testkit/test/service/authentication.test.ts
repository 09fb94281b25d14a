import { authenticationContract } from "../../src/contracts/service/authentication.js"
import { quietMemory } from "../../src/service/Service.js"

authenticationContract("memory", quietMemory)
