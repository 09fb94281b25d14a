import { variantsContract } from "../../src/contracts/service/variants.js"
import { quietMemory } from "../../src/service/Service.js"

variantsContract("memory", quietMemory)
