import { loopContract } from "../../src/contracts/service/loop.js"
import { quietMemory } from "../../src/service/Service.js"

loopContract("memory", quietMemory)
