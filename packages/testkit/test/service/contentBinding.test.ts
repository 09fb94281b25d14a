import { contentBindingContract } from "../../src/contracts/service/contentBinding.js"
import { quietMemory } from "../../src/service/Service.js"

contentBindingContract("memory", quietMemory)
