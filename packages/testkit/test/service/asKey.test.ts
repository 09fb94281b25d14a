import { asKeyContract } from "../../src/contracts/service/asKey.js"
import { quietMemory } from "../../src/service/Service.js"

asKeyContract("memory", quietMemory)
