import { isolationContract } from "../../src/contracts/service/isolation.js"
import { quietMemory } from "../../src/service/Service.js"

isolationContract("memory", quietMemory)
